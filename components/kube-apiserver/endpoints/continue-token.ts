import { JsonSyntaxError, parseJson } from '../../../src/api/json-text.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';

/** Where a list goes on: apiserver pkg/storage continueToken. */
export interface ContinueToken {
  readonly revision: number;
  /** First key, relative to the prefix of the list. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** apiserver pkg/storage.EncodeContinue: goes on after the key `last`. */
export function encodeContinue(last: string, revision: number): string {
  const json = JSON.stringify({ v: VERSION, rv: revision, start: `${last}\0` });
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** apiserver pkg/storage.DecodeContinue */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = parseToken(token);
  if (v !== VERSION) throw invalid(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`);
  if (typeof rv !== 'number' || rv === 0) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw invalid(`encoded start key empty (version ${VERSION})`);
  return { revision: rv, start };
}

function parseToken(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const offset = [...token].findIndex((char) => !/[A-Za-z0-9_-]/.test(char));
  if (offset >= 0) throw invalid(`illegal base64 data at input byte ${offset}`);
  try {
    return parseJson(atob(token.replaceAll('-', '+').replaceAll('_', '/'))) as { v?: unknown; rv?: unknown; start?: unknown };
  } catch (error) {
    throw invalid(error instanceof JsonSyntaxError ? error.message : `illegal base64 data at input byte ${token.length}`);
  }
}

function invalid(reason: string): Error {
  return newBadRequest(`invalid continue token: continue key is not valid: ${reason}`);
}
