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
  readonly inSandbox: string;
  readonly sandbox: string;
  /** Keys of a lesson, for the help: the key, and what it does. */
  readonly help: readonly (readonly [string, string])[];
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
  | 'write'
  | 'typeAnswer'
  | 'look'
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
    write: 'write a line, or run',
    typeAnswer: 'type it',
    look: 'look',
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
  notHere: 'the lesson is over: there is nothing to type',
  inSandbox: 'that is for a copy of the cluster: f opens one',
  sandbox: 'a copy to play with: q goes back to the lesson',
  help: [
    ['Enter', 'go on; more of the text; commit an answer'],
    ['a b c', 'choose an answer; several in their order where an order is asked'],
    ['1 2 3', 'how sure you are, once an answer is chosen'],
    ['Backspace', 'take the last choice back'],
    ['i', 'type the command, the line of reconcile, or what a controller does; get and its like at any time'],
    ['H', 'the next hint: three for each step, and they cost nothing'],
    ['S S', 'how this step is done'],
    ['u Ctrl-r', 'undo the last command of yours; do it again'],
    ['f', 'a copy of the cluster to play with, from this moment on'],
    ['4', 'the lesson alone, and back; PageDown and PageUp scroll it'],
    [':restart', 'the lesson from its beginning; :lesson 4 leaves for another'],
    [':lang ja', 'the other language'],
  ],
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
    write: '行を書く、run',
    typeAnswer: '入力',
    look: '調べる',
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
  notHere: 'レッスンは終わりました。入力するものはありません',
  inSandbox: 'これはクラスターの写しで使えます。fで開きます',
  sandbox: '自由に試せる写しです。qでレッスンに戻ります',
  help: [
    ['Enter', '次へ。本文の続き。回答の確定'],
    ['a b c', '回答を選ぶ。順序の質問では順番に選ぶ'],
    ['1 2 3', '回答を選んだ後で、その確かさ'],
    ['Backspace', '最後に選んだものを取り消す'],
    ['i', 'コマンド、reconcileの行、またはコントローラーが行うことを入力する。getなどはいつでも使える'],
    ['H', '次のヒント。ステップごとに3つあり、減点はない'],
    ['S S', 'このステップの解答'],
    ['u Ctrl-r', '最後のコマンドを取り消す。やり直す'],
    ['f', 'この時点から自由に試せるクラスターの写し'],
    ['4', '本文だけを表示、元に戻す。PageDownとPageUpでスクロール'],
    [':restart', 'レッスンを最初から。:lesson 4で別のレッスンへ'],
    [':lang en', '言語を切り替える'],
  ],
};

export function lessonWordsOf(lang: Language): LessonPaneWords {
  return lang === 'ja' ? JA : EN;
}
