import { KubectlError } from './kubectl-error.ts';

/** `a=b,c=d` as a map. kubectl generate.ParseLabels. @throws KubectlError */
export function readLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', value, ...more] = pair.split('=');
      if (!key || value === undefined || more.length) throw new KubectlError(`error: unexpected label spec: ${pair}`);
      return [key, value];
    }),
  );
}
