import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['bottleship-source'] },
  ssr: { resolve: { conditions: ['bottleship-source'] } },
  test: {
    include: ['{src,components,test,examples,scripts}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    env: { CI: '' },
  },
});
