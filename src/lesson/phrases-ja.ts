import type { Check, Comparison } from './check.ts';
import { type CheckWords, foundWords, selectionWords } from './check-words.ts';
import type { RefusedWhy } from './lesson-event.ts';
import type { Phrases } from './phrases.ts';

const WORDS: CheckWords = {
  ready: 'Ready',
  notReady: 'Readyでない',
  nothing: '該当なし',
  absentField: '未設定',
  comparison(is: Comparison) {
    const parts = [
      ...('eq' in is ? [`ちょうど${show(is.eq)}`] : []),
      ...('ne' in is ? [`${show(is.ne)}以外`] : []),
      ...(is.lt === undefined ? [] : [`${is.lt}未満`]),
      ...(is.gt === undefined ? [] : [`${is.gt}より多い`]),
      ...(is.min === undefined ? [] : [`${is.min}以上`]),
      ...(is.max === undefined ? [] : [`${is.max}以下`]),
      ...(is.exists === undefined ? [] : [is.exists ? '設定あり' : '未設定']),
    ];
    return parts.join('かつ');
  },
  moment: (time, count) => `${time}の時点で${count}`,
  happenedInstead: japaneseTrace,
};

/** The scenario engine tells what it found in English; these are its sentences. */
function japaneseTrace(text: string): string {
  return text
    .replace('it never happened', '一度も起きていません')
    .replace('what it should follow never happened', '先に起きるはずのことが起きていません')
    .replace('the first never happened', '先のほうが起きていません')
    .replace('the second never happened', '後のほうが起きていません')
    .replace(/it happened at (\S+) \((#\d+)\)/, '$1に起きました($2)')
    .replace(/at (\S+) \((#\d+)\), then at (\S+) \((#\d+)\)/, '$1($2)、次に$3($4)')
    .replace(/^at (\S+) \((#\d+)\)/, '$1($2)');
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '未設定' : JSON.stringify(value);
}

function wants(check: Check): string {
  const { comparison } = WORDS;
  switch (check.check) {
    case 'all':
      return check.of.map(wants).join('。かつ、');
    case 'any':
      return check.of.map(wants).join('。または、');
    case 'not':
      return `次のとおりでない: ${wants(check.of)}`;
    case 'count':
      return `${selectionWords(check.of, WORDS)}の数が${comparison(check.is)}`;
    case 'exists':
      return `${selectionWords(check.of, WORDS)}が存在する`;
    case 'absent':
      return `${selectionWords(check.of, WORDS)}が存在しない`;
    case 'object':
      return `${selectionWords(check.of, WORDS)}の${check.path}が${comparison(check.is)}`;
    case 'trace':
      return { eventually: '起きる', never: '一度も起きない', before: 'この順序で起きる', within: '時間内に起きる', finally: '' }[
        check.expectation.expect
      ].concat(`: ${check.expectation.text}`);
    case 'times':
      return `起きる回数が${comparison(check.is)}`;
    case 'coexist':
      return `同時に存在する: ${check.of.map((of) => selectionWords(of, WORDS)).join('、')}`;
    case 'always':
      return `常に${selectionWords(check.of, WORDS)}の数が${comparison(check.is)}`;
    case 'ever':
      return `ある時点で${selectionWords(check.of, WORDS)}の数が${comparison(check.is)}`;
    case 'ran':
      return `${check.command}を実行した`;
  }
}

const REFUSED: Readonly<Record<RefusedWhy, (detail: string) => string>> = {
  'not-now': (waits) =>
    ({
      next: 'まずEnterで先へ進んでください。',
      command: 'このステップはコマンドを待っています。',
      answer: 'このステップは回答を待っています。',
    })[waits] ?? 'レッスンは終わっています。',
  'not-allowed': (verbs) => `ここではそのコマンドは必要ありません。使えるのは${verbs}です。getはいつでも使えます。`,
  'not-a-command': (text) => `コマンドとして読めません: ${text}`,
  'not-an-answer': (text) => `選択肢にない回答です: ${text}`,
  'no-more-hints': () => 'このステップのヒントはこれ以上ありません。',
  'rule-form': () =>
    'reconcileの行として読めません。alwaysまたは「if 条件 then」で始め、create、update、deleteのどれかと種類を続けます。その後にnamedかgenerateNameと文字列を置くこともできます。',
  'rule-kind': (kinds) => `このreconcileが書き込めるのは次の種類です: ${kinds}`,
  'rule-expression': (what) => `この行はCELとして読めません。${what.replace(/^(\d+): /, '$1文字目: ')}`,
  'rule-type': (what) => what.replace(/^(\d+): (.*), (.*)$/, '$1文字目: 値の型は$2ですが、$3でなければなりません。'),
  'no-such-line': (number) => `${number}行目はありません。`,
};

export const JAPANESE: Phrases = {
  lang: 'ja',
  stop: '。',
  wants,
  found: (result) => foundWords(result, WORDS),
  refused: (why, detail) => REFUSED[why](detail),
  stepOf: (number, count) => `ステップ${number}/${count}`,
  minutes: (count) => `${count}分`,
  hint: (tier) => `ヒント${tier}/3`,
  score: (right, asked) => `${asked}問中${right}問正解`,
  sure: (confidence) => ['', '当て推量', 'たぶん', '確信'][confidence] ?? '',
  next: (command) => `次のレッスン: ${command}`,
  chose: (answer) => `あなたの回答: ${answer}`,
  truth: (answer) => `実際: ${answer}`,
  labels: {
    lesson: 'レッスン',
    goal: '目標',
    question: '質問',
    options: '選択肢',
    answerOne: '番号で答えてください。',
    answerOrder: 'すべての番号を順番に並べてください。例: 2 1 3',
    answerNumber: '数で答えてください。',
    answerActions: '行うことを、行う回数だけすべて答えてください。名前(create Pod x2, delete Service)でも番号(1 1 2)でも構いません。',
    howSure: 'どのくらい確かですか？',
    sureScale: '1 当て推量、2 たぶん、3 確信',
    command: 'kubectlのコマンドを入力してください。',
    writeRule: 'reconcileの行を入力してください。番号と行で置き換え、番号だけで削除、runで開始します。getも使えます。',
    reconcile: 'reconcile',
    noRules: '空',
    running: 'コントローラーはこれを実行しています。',
    notRunning: 'まだ実行されていません。runと入力してください。',
    tested: 'コントローラーが実行しています。クラスターの写しで試した結果:',
    goOn: 'Enterで先へ進みます。',
    right: '正解',
    wrong: '不正解',
    taken: '回答を受け付けました。答えはこの後に分かります。',
    done: '完了',
    notYet: '未達成',
    expected: '期待',
    found: '現状',
    look: '確認',
    lookAtLog: 'イベントの記録',
    mistake: '注意',
    solution: '解答',
    unexpected: '実行しましたが、このステップで求めているものではありません。',
    inVain: '時間は進みましたが、待っていたことは起きませんでした。',
    replay: '記録からもう一度',
    debrief: '振り返り',
    predictions: '回答',
    mistakes: '間違い',
    hints: '見たヒント',
    links: '参考',
    none: 'なし',
    finished: 'レッスンは終わりです。',
    undone: '取り消しました。次のコマンドの前に戻ります',
    nothingToUndo: '取り消すコマンドがありません。',
    redone: 'やり直しました',
    nothingToRedo: 'やり直すものがありません。',
    help: 'Enterで先へ。hint、solution、undo、redo、repeat、sandbox、lesson 4、lang en、lang ja、quit',
    resumed: '前回の続きから始めます。',
    saved: '進み具合を保存しました。',
    sandbox: '自由に試せるクラスターの写しです。コマンド、wait 30s、visit service/NAMEを入力できます。backでレッスンに戻ります。',
    started: '途中',
    testedOut: '試験で合格',
    warmUp: '準備運動: 前に間違えた質問を、条件を変えて',
    veiled: '回答するまで見えません',
    nothing: '何もしない',
    predict: '予測',
    quiz: 'クイズ',
  },
};
