import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take as long as many others together: they are begun with, so that no processor waits for them at the end. */
const LONG = /\/test\/(?:faults(?:-even)?|lessons|golden\/golden)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(({ moduleId }) => LONG.test(moduleId)), ...sorted.filter(({ moduleId }) => !LONG.test(moduleId))];
  }
}

export default defineConfig({
  resolve: { conditions: ['bottleship-source'] },
  ssr: { resolve: { conditions: ['bottleship-source'] } },
  test: {
    include: ['{src,components,test,examples,scripts}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    env: { CI: '' },
    sequence: { sequencer: LongestFirst },
  },
});
