// The class alone: the whole of rxjs is hundreds of files, which every program that imports this library would wait for.
import { Observable } from 'rxjs/internal/Observable';
import type { KubernetesObject } from '../api/object.ts';
import type { SharedInformer } from './informer.ts';

/** A change of one object in a cache. `before` is absent for what is new, `after` for what is gone. */
export interface Change<T extends KubernetesObject> {
  readonly before?: T;
  readonly after?: T;
}

/**
 * The changes of a cache as an Observable, for user interfaces and tests; what is there already comes first. Controllers use handlers and queues instead: they
 * look at states, not at changes. Unsubscribing only stops listening.
 * @example observe(factory.forResource(pods)).pipe(filter(({ after }) => after?.status?.phase === 'Running')).subscribe(print);
 */
export function observe<T extends KubernetesObject>(informer: SharedInformer<T>): Observable<Change<T>> {
  return new Observable((subscriber) => {
    informer.addEventHandler({
      onAdd: (after) => subscriber.next({ after }),
      onUpdate: (before, after) => subscriber.next({ before, after }),
      onDelete: (before) => subscriber.next({ before }),
    });
  });
}
