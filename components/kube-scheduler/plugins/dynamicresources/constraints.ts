import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { DeviceAttribute, DeviceConstraint } from '../../../../src/api/kinds/resource-v1.ts';
import type { Offer } from './pools.ts';

/** All devices of the requests have one value of an attribute: structured matchAttributeConstraint. */
export class MatchAttributeConstraint {
  readonly #attribute: string;
  readonly #requests: ReadonlySet<string>;
  readonly #values: DeviceAttribute[] = [];

  constructor({ matchAttribute = '', requests = [] }: DeviceConstraint) {
    this.#attribute = matchAttribute;
    this.#requests = new Set(requests);
  }

  /** Whether the device may be given to the request; then it counts from now on. */
  add(request: string, offer: Offer): boolean {
    if (!this.#covers(request)) return true;
    const value = this.#valueOf(offer);
    const [first] = this.#values;
    if (value === undefined || (first && !deepEqual(first, value))) return false;
    this.#values.push(value);
    return true;
  }

  /** Takes back what `add` allowed. */
  remove(request: string): void {
    if (this.#covers(request)) this.#values.pop();
  }

  /** `request/subrequest` belongs to `request`. */
  #covers(request: string): boolean {
    return this.#requests.size === 0 || this.#requests.has(request) || this.#requests.has(request.split('/')[0] ?? '');
  }

  /** structured lookupAttribute: a name without a domain belongs to the driver's. */
  #valueOf({ slice, device: { attributes = {} } }: Offer): DeviceAttribute | undefined {
    const [domain, name = ''] = this.#attribute.split('/');
    return attributes[this.#attribute] ?? (domain === slice.spec.driver ? attributes[name] : undefined);
  }
}
