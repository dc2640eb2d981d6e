import { textIn } from '../lesson/load-lesson.ts';
import { parseScenario } from '../scenario/scenario.ts';
import type { MenuItem } from '../tui/view/menu-view.ts';
import { languageOf, wordsOf } from '../tui/words/words.ts';
import type { CliCommand } from './command.ts';
import { besides, packageFolder, readText } from './files.ts';
import { learn, markOf } from './learn.ts';
import { shippedLessons } from './lesson-files.ts';
import { lastRun, lastRunTitle, openInTui } from './live-tui.ts';
import { play, shippedScenarios } from './play.ts';
import { ProgressFile } from './progress-file.ts';
import { sandbox } from './sandbox.ts';

const LANG = languageOf(process.env);
const { views } = wordsOf(LANG);

/** What `bottleship` alone shows at a terminal: where one was, lessons, a sandbox, scenarios. */
export const start: CliCommand = {
  summary: 'a menu: continue, lessons, sandbox, scenarios',
  usage: '',
  example: 'bottleship',
  options: {},
  optionHelp: {},
  async run() {
    for (;;) {
      const chosen = await choose(views.menu, mainItems());
      if (chosen === undefined) return 0;
      if (chosen === 'continue') await openInTui(await lastRun(), { at: 'end' });
      else if (chosen === 'sandbox') await sandbox.run([], {});
      else if (chosen === 'lessons') await lessons();
      else await scenarios();
    }
  },
};

function mainItems(): MenuItem[] {
  const title = lastRunTitle();
  return [
    ...(title ? [{ id: 'continue', label: `${views.menuContinue}: ${title}` }] : []),
    { id: 'lessons', label: views.menuLessons },
    { id: 'sandbox', label: views.menuSandbox },
    { id: 'scenarios', label: views.menuScenarios },
  ];
}

async function choose(title: string, items: readonly MenuItem[]): Promise<string | undefined> {
  const { runMenu } = await import('../tui/app/Menu.tsx');
  return runMenu({ title, items, lang: LANG });
}

async function lessons(): Promise<void> {
  const { progress } = new ProgressFile();
  const items = shippedLessons().map((folder) => {
    const text = textIn(folder, LANG);
    return {
      id: folder.name,
      label: `${markOf(progress, folder.lesson.id)} ${text?.title ?? folder.lesson.id}`,
      note: text?.summary ?? '',
    };
  });
  const chosen = await choose(views.menuLessons, items);
  if (chosen !== undefined) await learn.run([chosen], {});
}

async function scenarios(): Promise<void> {
  const items = shippedScenarios().map((name) => {
    const path = `${packageFolder('scenarios')}/${name}.yaml`;
    return { id: name, label: name, note: parseScenario(readText(path), path, besides(path)).title };
  });
  const chosen = await choose(views.menuScenarios, items);
  if (chosen !== undefined) await play.run([chosen], { tui: true });
}
