import type { Condition } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { customResource } from '../../src/client/custom-resource.ts';

export const GROUP = 'example.com';

/** A database server with its replicas. */
export interface Database extends KubernetesObject {
  spec: {
    engine: 'mysql' | 'postgresql';
    version: string;
    storageSize: string;
    /** 1 if absent. */
    replicas?: number;
  };
  status?: {
    phase?: 'Creating' | 'Updating' | 'Ready' | 'Deleting';
    /** Where clients connect. */
    endpoint?: string;
    /** The generation of `spec` that the rest of the status speaks of. */
    observedGeneration?: number;
    readyReplicas?: number;
    conditions?: Condition[];
  };
}

/** One backup, of a Database or of something else. */
export interface Backup extends KubernetesObject {
  spec: {
    /** `database/NAME`, or a path. */
    source: string;
    destination: string;
    schedule?: string;
  };
  status?: {
    phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
    lastBackupTime?: string;
    conditions?: Condition[];
  };
}

export const databases = customResource<Database>({
  group: GROUP,
  version: 'v1',
  resource: 'databases',
  kind: 'Database',
  shortNames: ['db'],
});

export const backups = customResource<Backup>({ group: GROUP, version: 'v1', resource: 'backups', kind: 'Backup', shortNames: ['bk'] });
