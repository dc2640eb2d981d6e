import { ApiStatusError } from '../../../src/api/status-error.ts';

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

/** What an answer is to look like. apiserver pkg/endpoints/handlers/negotiation.MediaTypeOptions */
export interface Negotiated {
  readonly mediaType: MediaType;
  /** `Table`, `PartialObjectMetadata`, `PartialObjectMetadataList`, `APIGroupDiscoveryList`; '' for the object itself. */
  readonly as: string;
  /** The group and version of `as`. */
  readonly group: string;
  readonly version: string;
  readonly pretty: boolean;
}

/** What a kind of endpoint can answer besides the object itself, by `group/version`. */
export type Alternatives = Readonly<Record<string, readonly string[]>>;

const PLAIN: Negotiated = { mediaType: 'application/json', as: '', group: '', version: '', pretty: false };
export const OBJECT_ALTERNATIVES: Alternatives = {
  'meta.k8s.io/v1': ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
  'meta.k8s.io/v1beta1': ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};

/** Chooses the first acceptable clause of an Accept header, in the order of their quality. Undefined: none is. */
export function negotiate(accept: string | undefined, alternatives: Alternatives): Negotiated | undefined {
  if (!accept) return PLAIN;
  for (const clause of clausesOf(accept)) {
    const mediaType = mediaTypeOf(clause.type);
    if (!mediaType) continue;
    const { as = '', g: group = '', v: version = '', pretty } = clause.parameters;
    if (as !== '' && !alternatives[`${group}/${version}`]?.includes(as)) continue;
    return { mediaType, as, group, version, pretty: pretty === '1' || pretty === 'true' };
  }
  return undefined;
}

/** apiserver pkg/endpoints/handlers/negotiation.NewNotAcceptableError, as the router words it */
export function notAcceptable(): ApiStatusError {
  const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  return new ApiStatusError({
    message: `406: Not Acceptable\n\nAvailable representations: ${types}`,
    reason: 'NotAcceptable',
    details: {},
    code: 406,
  });
}

/** The same from the handler, for a media type that is served, but not with these parameters. */
export function unknownRepresentation(): ApiStatusError {
  const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  return new ApiStatusError({ message: `only the following media types are accepted: ${types}`, reason: 'NotAcceptable', code: 406 });
}

/** Whether any clause names a media type that is served, whatever its parameters. */
export function namesMediaType(accept: string): boolean {
  return clausesOf(accept).some(({ type }) => mediaTypeOf(type) !== undefined);
}

function mediaTypeOf(type: string): MediaType | undefined {
  if (type === '*/*' || type === 'application/json') return 'application/json';
  return type === 'application/yaml' || type === 'application/vnd.kubernetes.protobuf' ? type : undefined;
}

interface Clause {
  readonly type: string;
  readonly quality: number;
  readonly parameters: Readonly<Record<string, string>>;
}

function clausesOf(accept: string): Clause[] {
  const clauses = accept.split(',').map((text) => {
    const [type = '', ...rest] = text.split(';').map((part) => part.trim());
    const parameters = Object.fromEntries(rest.map((part) => part.split('=', 2)).map(([key = '', value = '']) => [key, value]));
    return { type, parameters, quality: Number(parameters['q'] ?? 1) };
  });
  return clauses.sort((a, b) => b.quality - a.quality);
}
