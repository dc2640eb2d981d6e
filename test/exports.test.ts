import * as library from 'bottleship';
import * as testing from 'bottleship/testing';
import { expect, it } from 'vitest';

it('bottleship exports what it says', () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "ActorUnavailable",
      "ApiStatusError",
      "BoundExceeded",
      "BucketRateLimiter",
      "CachedReader",
      "ControllerExpectations",
      "DEFAULT_BACKOFF",
      "DEFAULT_RETRY",
      "EventRecorder",
      "ItemExponentialFailureRateLimiter",
      "ItemFastSlowRateLimiter",
      "KUBERNETES_ADMIN",
      "LeaderElector",
      "MaxOfRateLimiter",
      "RateLimitingQueue",
      "SharedInformer",
      "SharedInformerFactory",
      "Simulation",
      "TerminalError",
      "UIDTrackingControllerExpectations",
      "addFinalizer",
      "annotationsChanged",
      "anyOf",
      "containsFinalizer",
      "createCluster",
      "createOrUpdate",
      "customResource",
      "defaultControllerRateLimiter",
      "defineController",
      "defineManager",
      "framework",
      "generationChanged",
      "isAlreadyExists",
      "isConflict",
      "isExpired",
      "isForbidden",
      "isInvalid",
      "isNamespaceTerminating",
      "isNotFound",
      "isTooManyRequests",
      "labelsChanged",
      "objectAt",
      "objectsAt",
      "observe",
      "owning",
      "removeFinalizer",
      "resources",
      "retryOnConflict",
      "runWorkers",
      "setControllerReference",
      "setStatusCondition",
      "watching",
    ]
  `);
});

it('bottleship.framework exports what it says', () => {
  expect(Object.keys(library.framework).sort()).toMatchInlineSnapshot(`
    [
      "ActionType",
      "CycleState",
      "MAX_NODE_SCORE",
      "StateKey",
      "Status",
      "defaultNormalizeScore",
    ]
  `);
});

it('bottleship/testing exports what it says', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "ExpectationError",
      "OperatorLint",
      "TestCluster",
      "answerOutside",
      "crashAfterEachWrite",
      "createTestCluster",
      "expectTrace",
      "forEachSeed",
      "isReady",
    ]
  `);
});
