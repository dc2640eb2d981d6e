import type { KubeSchedulerConfiguration } from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import { loadConfig } from '../../components/kube-scheduler/apis/config/load-config.ts';
import { ApiStatusError } from '../api/status-error.ts';
import type { SchedulerConfig } from '../cluster/config.ts';
import { type DocumentReader, readDocument } from './document-reader.ts';

type ReadFile = (name: string) => string | undefined;

/** A KubeSchedulerConfiguration as a file of its own. @throws DocumentError */
export function parseSchedulerConfig(text: string, file: string): KubeSchedulerConfiguration {
  return checked(readDocument(text, file));
}

/** A KubeSchedulerConfiguration in a scenario: the name of a file beside it, or what such a file says. @throws DocumentError */
export function readSchedulerConfig(reader: DocumentReader, readFile: ReadFile): KubeSchedulerConfiguration {
  if (!reader.isText) return checked(reader);
  const name = reader.string();
  return parseSchedulerConfig(readFile(name) ?? reader.fail(`there is no file "${name}" beside the scenario`), name);
}

/** Schedulers beside the default one. @throws DocumentError */
export function readSchedulers(reader: DocumentReader, readFile: ReadFile): SchedulerConfig[] {
  return reader.items().map((item) => {
    item.onlyFields(['name', 'config']);
    if (!item.field('config').exists) item.fail('a scheduler needs a config');
    return { name: item.field('name').string(), config: readSchedulerConfig(item.field('config'), readFile) };
  });
}

function checked(reader: DocumentReader): KubeSchedulerConfiguration {
  try {
    return loadConfig(reader.value());
  } catch (error) {
    if (error instanceof ApiStatusError) reader.fail(error.message);
    throw error;
  }
}
