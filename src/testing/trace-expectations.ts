import type { Cluster } from '../cluster/cluster.ts';
import { evidenceOf } from '../cluster/history.ts';
import { type Expectation, judge } from '../scenario/expectation.ts';
import type { Matcher } from '../scenario/matcher.ts';
import { ExpectationError } from './expectation-error.ts';

/** Picks entries of the trace; all given fields must fit, texts may hold `*`. Without `trace` it picks writes that kube-apiserver committed. */
export type EntryMatcher = Partial<Matcher>;

/** Entries only count behind the first one that fits `after`. */
export interface AfterOption {
  readonly after?: EntryMatcher;
}

/** Questions about what a cluster has done so far, in which order and when. Each method throws an `ExpectationError` that says what was found. */
export interface TraceExpectations {
  /** It has happened. */
  happened(match: EntryMatcher, options?: AfterOption): void;
  /** It has not happened. */
  never(match: EntryMatcher, options?: AfterOption): void;
  /** Both have happened, the first of `first` before the first of `then`. */
  before(first: EntryMatcher, then: EntryMatcher): void;
  /** It happened at most `ms` of virtual time after the first `after` (or after the start). */
  within(ms: number, match: EntryMatcher, options?: AfterOption): void;
}

/**
 * Asks the trace of a cluster.
 * @example expectTrace(cluster).before({ verb: 'create', kind: 'ConfigMap' }, { verb: 'create', kind: 'Pod', by: 'replicaset-controller' });
 */
export function expectTrace(cluster: Cluster): TraceExpectations {
  const demand = (expectation: Expectation): void => {
    const { ok, found } = judge(expectation, evidenceOf(cluster));
    if (!ok) throw new ExpectationError(`expected ${expectation.text}, but ${found}`);
  };
  const behind = ({ after }: AfterOption = {}) => (after ? { after: complete(after) } : {});
  return {
    happened: (match, options) =>
      demand({ text: `${say(match)}${sayAfter(options)}`, expect: 'eventually', match: complete(match), ...behind(options) }),
    never: (match, options) =>
      demand({ text: `no ${say(match)}${sayAfter(options)}`, expect: 'never', match: complete(match), ...behind(options) }),
    before: (first, then) =>
      demand({ text: `${say(first)} before ${say(then)}`, expect: 'before', first: complete(first), second: complete(then) }),
    within: (ms, match, options) =>
      demand({
        text: `${say(match)} within ${ms} ms${sayAfter(options)}`,
        expect: 'within',
        ms,
        match: complete(match),
        ...behind(options),
      }),
  };
}

function complete(match: EntryMatcher): Matcher {
  return { trace: 'write', ...match };
}

function say(match: EntryMatcher): string {
  return JSON.stringify(match);
}

function sayAfter({ after }: AfterOption = {}): string {
  return after ? ` after ${say(after)}` : '';
}
