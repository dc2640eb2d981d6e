import type { ClusterConfig } from '../cluster/config.ts';
import { parseSchedulerConfig } from '../scenario/read-scheduler-config.ts';
import type { OptionValues } from './command.ts';
import { readText } from './files.ts';
import { stringOption } from './option-values.ts';

/** @throws UsageError, DocumentError */
export function schedulerConfigOption(options: OptionValues): Pick<ClusterConfig, 'schedulerConfig'> {
  const file = stringOption(options, 'scheduler-config');
  return file === undefined ? {} : { schedulerConfig: parseSchedulerConfig(readText(file), file) };
}
