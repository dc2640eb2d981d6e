// The cluster under test, and what is outside of it
export { answerOutside } from './answer-outside.ts';

// What must hold
export { ExpectationError } from './expectation-error.ts';
// Exploration
export { type CrashOptions, crashAfterEachWrite, forEachSeed, type SeedsOptions } from './explore.ts';
// What operators should not do
export type { Finding } from './operator-lint/finding.ts';
export { OperatorLint } from './operator-lint/operator-lint.ts';
export { isReady } from './ready.ts';
// Faults
export type { FailedRequest } from './request-failure.ts';
export { createTestCluster, type Place, TestCluster, type WaitOptions } from './test-cluster.ts';
export { type AfterOption, type EntryMatcher, expectTrace, type TraceExpectations } from './trace-expectations.ts';
