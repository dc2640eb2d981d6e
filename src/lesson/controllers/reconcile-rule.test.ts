import { expect, test } from 'vitest';
import { parseRule } from './reconcile-rule.ts';

test.each([
  ['always create Service', { verb: 'create', kind: 'Service' }],
  ['if services.size() == 0 then create service', { verb: 'create', kind: 'Service' }],
  ['always create Job generateName name + "-load-"', { verb: 'create', kind: 'Job', generateName: expect.anything() }],
  ['if self.metadata.name == "a then create Job" then delete Pod named "x"', { verb: 'delete', kind: 'Pod', named: expect.anything() }],
])('%s', (line, rule) => expect(parseRule(line)).toMatchObject(rule));

test.each([
  ['create Service', 'rule-form', 'create Service'],
  ['if services.size() == 0 create Service', 'rule-form', ''],
  ['always delete Job generateName "x"', 'rule-form', ''],
  ['always create Deployment', 'rule-kind', 'Service, StatefulSet, Job, Pod'],
  ['if service.size() == 0 then create Service', 'rule-expression', "4: undeclared reference to 'service' (in container '')"],
  ['if services.size() == then create Service', 'rule-expression', '22: Syntax error'],
  ['if services.size() then create Service', 'rule-type', '4: int, bool'],
  ['always create Job named 1 + 2', 'rule-type', '25: int, string'],
  ['always create Job named process.exit()', 'rule-expression', "25: undeclared reference to 'process'"],
])('%s: %s', (line, problem, detail) => expect(parseRule(line)).toEqual({ problem, detail: expect.stringContaining(detail) }));
