import type { Language } from '../../lesson/phrases.ts';

/** Words of the lesson pane and its keys; what the engine says itself is in its phrases. */
export interface LessonPaneWords {
  readonly pane: string;
  readonly modes: { readonly lesson: string; readonly answer: string; readonly task: string };
  readonly keys: Readonly<Record<KeyHint, string>>;
  readonly sure: readonly [string, string, string];
  readonly howSure: string;
  readonly chosen: (count: number) => string;
  readonly now: string;
  readonly hidden: string;
  readonly more: string;
  readonly left: (title: string, step: number, steps: number) => string;
  readonly finished: (title: string) => string;
  readonly continueHow: (lesson: string) => string;
  readonly confirmSolution: string;
  readonly notHere: string;
  readonly sandbox: string;
}

export type KeyHint =
  | 'goOn'
  | 'more'
  | 'choose'
  | 'inOrder'
  | 'number'
  | 'commit'
  | 'takeBack'
  | 'type'
  | 'hint'
  | 'undo'
  | 'full'
  | 'pane'
  | 'step'
  | 'why'
  | 'palette'
  | 'help'
  | 'quit';

const EN: LessonPaneWords = {
  pane: 'Lesson',
  modes: { lesson: 'LESSON', answer: 'ANSWER', task: 'TASK' },
  keys: {
    goOn: 'go on',
    more: 'more',
    choose: 'choose',
    inOrder: 'in order',
    number: 'a number',
    commit: 'commit',
    takeBack: 'take back',
    type: 'type a command',
    hint: 'hint',
    undo: 'undo',
    full: 'lesson alone',
    pane: 'pane',
    step: 'step',
    why: 'why',
    palette: 'command',
    help: 'keys',
    quit: 'quit',
  },
  sure: ['guess', 'think', 'know'],
  howSure: 'Sure?',
  chosen: (count) => `${count} chosen`,
  now: 'NOW - answer to see what happens next',
  hidden: 'hidden until you answer',
  more: 'more',
  left: (title, step, steps) => `${title}: left at step ${step} of ${steps}`,
  finished: (title) => `${title}: finished`,
  continueHow: (lesson) => `bottleship learn ${lesson} takes it up again.`,
  confirmSolution: 'press S again to see how this step is done',
  notHere: 'nothing to type here: first what the lesson asks',
  sandbox: 'a copy of the cluster is yours; :lesson goes back',
};

const JA: LessonPaneWords = {
  pane: 'レッスン',
  modes: { lesson: 'レッスン', answer: '回答', task: '課題' },
  keys: {
    goOn: '次へ',
    more: '続き',
    choose: '選択',
    inOrder: '順番に',
    number: '数',
    commit: '確定',
    takeBack: '取り消す',
    type: 'コマンド入力',
    hint: 'ヒント',
    undo: '元に戻す',
    full: '本文だけ',
    pane: 'ペイン',
    step: '移動',
    why: '理由',
    palette: 'コマンド',
    help: 'キー',
    quit: '終了',
  },
  sure: ['当て推量', 'たぶん', '確信'],
  howSure: '確かさは？',
  chosen: (count) => `${count}個選択`,
  now: '現在。続きは回答の後に見えます',
  hidden: '回答するまで見えません',
  more: '続き',
  left: (title, step, steps) => `${title}: ステップ${step}/${steps}で中断`,
  finished: (title) => `${title}: 終了`,
  continueHow: (lesson) => `bottleship learn ${lesson}で続きから始められます。`,
  confirmSolution: 'もう一度Sを押すと、このステップの解答を表示します',
  notHere: 'ここではコマンドは要りません。まずレッスンに答えてください',
  sandbox: 'クラスターの写しを自由に使えます。:lessonで戻ります',
};

export function lessonWordsOf(lang: Language): LessonPaneWords {
  return lang === 'ja' ? JA : EN;
}
