import { describe, expect, it } from 'vitest';
import { parseScenario } from './scenario.ts';

const files: Record<string, string> = { 'web.yaml': 'kind: Pod\n' };
const parse = (text: string) => parseScenario(text, 'test.yaml', (name) => files[name]);

describe('a scenario file', () => {
  it('is read into steps and expectations', () => {
    const scenario = parse(`
title: T
nodes: 2
steps:
  - apply: web.yaml
  - wait: settled
  - wait: 1m30s
  - kubectl: label node n1 'zone=a b'
  - fault: { stop-node: n1 }
  - pick: { pod: { kind: Pod } }
expect:
  - never: { kind: Pod, verb: delete }
`);
    expect(scenario.config.nodes).toBe(2);
    expect(scenario.steps).toEqual([
      { line: 'steps[0].apply', step: 'kubectl', args: ['apply', '-f', 'web.yaml'], files: { 'web.yaml': 'kind: Pod\n' } },
      { line: 'steps[1].wait', step: 'settle', withinMs: 600_000 },
      { line: 'steps[2].wait', step: 'wait', ms: 90_000 },
      { line: 'steps[3].kubectl', step: 'kubectl', args: ['label', 'node', 'n1', 'zone=a b'], files: {} },
      { line: 'steps[4].fault', step: 'fault', fault: { fault: 'stop-node', node: 'n1' } },
      { line: 'steps[5].pick', step: 'pick', variable: 'pod', state: { kind: 'Pod' } },
    ]);
    expect(scenario.expect).toEqual([
      { text: 'never {"kind":"Pod","verb":"delete"}', expect: 'never', match: { trace: 'write', kind: 'Pod', verb: 'delete' } },
    ]);
  });

  it('may say once what is meant in several places', () => {
    const { config, steps } = parse('title: T\nnodes: &few 2\nseed: &text "7"\nsteps: [{ kubectl: &get get pods }, { kubectl: *get }]');
    expect([config.nodes, steps[0], steps[1]]).toMatchObject([2, { args: ['get', 'pods'] }, { args: ['get', 'pods'] }]);
  });

  it('may say of each node what it has', () => {
    const { config } = parse('title: T\nnodes: [{ name: n1, podCIDR: 10.1.0.0/29, gpus: 2 }]\nsteps: []');
    expect(config.nodes).toEqual([{ name: 'n1', podCIDR: '10.1.0.0/29', gpus: 2 }]);
  });

  it.each([
    ['title: [', 'test.yaml:1:9: this is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['title: T\n', 'test.yaml:1:1: a scenario needs steps'],
    ['steps: []\n', 'test.yaml:1:1: title: a text is missing'],
    ['title: T\nstep: []\nsteps: []', 'test.yaml:2:7: step: unknown field; known here: title, description, seed, nodes, '],
    ['title: 3\nsteps: []', 'test.yaml:1:8: title: expected a text, found number 3'],
    [
      'title: T\nnodes: [{ name: n1, podCIDR: few }]\nsteps: []',
      'test.yaml:2:30: nodes[0].podCIDR: expected a range of addresses, e.g. 10.128.4.0/24',
    ],
    [
      "title: T\ncontrollers: ['*', -job, -jobs]\nsteps: []",
      'test.yaml:2:26: controllers[2]: "jobs" is not in the list of known controllers',
    ],
    [
      "title: T\nflags: { cloud-controller-manager: { controllers: ['*', -routes] } }\nsteps: []",
      'flags.cloud-controller-manager.controllers[1]: "routes" is not in the list of known controllers',
    ],
    ['title: T\nnodes: -1\nsteps: []', 'test.yaml:2:8: nodes: expected how many nodes: a whole number, 0 or more'],
    ['title: T\nsteps:\n  - wait: soon', 'test.yaml:3:11: steps[0].wait: expected a time such as 30s, 1m30s or 500ms, found "soon"'],
    ['title: T\nnodes: *n\nsteps: []', 'test.yaml:2:8: the alias *n refers to nothing; expected an anchor &n before it'],
    ['title: T\nsteps:\n  - sleep: 3s', 'test.yaml:3:12: steps[0].sleep: unknown field; known here: apply, kubectl, fault, '],
    ['title: T\nsteps:\n  - apply: none.yaml', 'test.yaml:3:12: steps[0].apply: there is no file "none.yaml" beside the scenario'],
    ['title: T\nsteps:\n  - kubectl: get pods "a', 'test.yaml:3:14: steps[0].kubectl: a quote is not closed'],
    ['title: T\nsteps:\n  - fault: { explode: n1 }', 'test.yaml:3:23: steps[0].fault.explode: unknown field; known here: crash, '],
    [
      'title: T\nsteps: []\nexpect:\n  - never: { kinds: Pod }',
      'test.yaml:4:21: expect[0].never.kinds: unknown field; known here: trace, verb, kind, ',
    ],
    [
      'title: T\nsteps: []\nexpect:\n  - soon: {}',
      'test.yaml:4:11: expect[0].soon: unknown field; known here: eventually, never, before, within, finally, because',
    ],
    ['- a\n', 'test.yaml:1:1: expected fields (key: value), found a list'],
  ])('that is broken is refused with file, line, column and field: %j', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});
