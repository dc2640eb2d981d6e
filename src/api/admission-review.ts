import { bytesToBase64 } from './base64.ts';
import type { HttpAnswer, HttpCall } from './cri.ts';
import type { KubernetesObject } from './object.ts';

/** What kube-apiserver asks: admission.k8s.io/v1 AdmissionRequest, as far as the handlers here look at it. */
export interface AdmissionRequest<T extends KubernetesObject> {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly namespace?: string;
  readonly object: T;
  /** Nothing may be changed outside the object on behalf of such a request. */
  readonly dryRun?: boolean;
}

/** One operation of RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** What a handler decides. */
export interface AdmissionVerdict {
  /** Why not; allowed if absent. */
  readonly denied?: string;
  readonly patch?: readonly JsonPatchOperation[];
  /** Shown to whoever sent the request. */
  readonly warnings?: readonly string[];
}

/** Answers an AdmissionReview with what a handler decides. controller-runtime pkg/webhook/admission Webhook.ServeHTTP */
export function answerReview<T extends KubernetesObject>(
  call: HttpCall,
  handle: (request: AdmissionRequest<T>) => AdmissionVerdict,
): HttpAnswer {
  const review = JSON.parse(call.body ?? 'null') as { apiVersion: string; kind: string; request?: AdmissionRequest<T> } | null;
  if (!review?.request) return { status: 400, body: 'an AdmissionReview with a request is expected\n' };
  const { denied, patch = [], warnings = [] } = handle(review.request);
  const response = {
    uid: review.request.uid,
    allowed: denied === undefined,
    ...(denied === undefined ? {} : { status: { code: 403, message: denied } }),
    ...(patch.length ? { patchType: 'JSONPatch', patch: base64(JSON.stringify(patch)) } : {}),
    ...(warnings.length ? { warnings } : {}),
  };
  return { status: 200, body: JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response }) };
}

function base64(text: string): string {
  return bytesToBase64(new TextEncoder().encode(text));
}
