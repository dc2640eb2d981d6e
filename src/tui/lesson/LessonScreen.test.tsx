import { renderToString } from 'ink';
import { describe, expect, test } from 'vitest';
import { findLesson } from '../../cli/lesson-files.ts';
import { LessonPlayer } from '../../lesson/player.ts';
import { PaintContext } from '../app/paint-context.ts';
import { initialState } from '../app/ui-state.ts';
import { cellWidth } from '../text/cells.ts';
import { BORDER } from '../view/frame.ts';
import { ASCII_GLYPHS } from '../view/glyphs.ts';
import { THEMES } from '../view/theme.ts';
import { type Language, wordsOf } from '../words/words.ts';
import { LessonScreen } from './LessonScreen.tsx';
import { LessonBench } from './lesson-bench.ts';
import { lessonLayoutFor } from './lesson-layout.ts';
import { lessonRows } from './lesson-pane.ts';
import { pressLesson } from './lesson-press.ts';
import { type LessonState, lessonState } from './lesson-state.ts';

const folder = findLesson('delete-a-pod');
const TYPED = 'delete pod web-b764f44c8-4728h';

class Screen {
  readonly bench: LessonBench;
  state: LessonState;

  constructor(bench: LessonBench, lang: Language) {
    this.bench = bench;
    this.state = lessonState(initialState({ cursor: bench.view.timeline.last, theme: 'mono', lang }), bench.lesson.takeEvents());
  }

  static async open(lang: Language, loaded = folder): Promise<Screen> {
    return new Screen(new LessonBench({ loaded, player: await LessonPlayer.start(loaded.lesson), lessons: ['4', '6'] }), lang);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      const { layout, text } = this.#drawn(80, 24);
      const place = { lesson: this.bench.lesson, view: this.bench.view, height: layout.lesson.height - BORDER, count: text.length };
      const { state, action } = pressLesson(this.state, key, place);
      this.state = state;
      if (action)
        await this.bench.act(action, (update) => {
          this.state = update(this.state);
        });
    }
  }

  draw(columns: number, rows: number): string[] {
    const { layout, text } = this.#drawn(columns, rows);
    const { lang } = this.state.ui;
    const screen = (
      <PaintContext value={{ theme: THEMES.mono, depth: 0, glyphs: ASCII_GLYPHS, words: wordsOf(lang) }}>
        <LessonScreen view={this.bench.view} state={this.state} lesson={this.bench.wordsIn(lang)} layout={layout} text={text} />
      </PaintContext>
    );
    return renderToString(screen, { columns }).split('\n');
  }

  #drawn(columns: number, rows: number) {
    const { focus, lower, lang } = this.state.ui;
    const request = { columns, rows, focus, lower, full: this.state.full };
    const width = lessonLayoutFor({ ...request, wanted: 0 }).lesson.width - BORDER;
    const text = lessonRows(this.state, this.bench.wordsIn(lang), Math.max(20, width));
    return { layout: lessonLayoutFor({ ...request, wanted: text.length }), text };
  }
}

describe.each(['en', 'ja'] as const)('in %s', (lang) => {
  test('an open prediction: the question is whole, the future and the deciding lane are hidden', async () => {
    const screen = await Screen.open(lang);
    await screen.press('enter', 'i', ...Array.from(TYPED, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    await screen.press('pagedown', 'b', '2');
    for (const [columns, rows] of [
      [80, 24],
      [100, 30],
      [120, 36],
      [200, 60],
    ] as const) {
      const lines = screen.draw(columns, rows);
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(columns);
      const text = lines.join('\n');
      expect(text).toContain('(*) b');
      expect(text).toContain('*2');
      expect(text).toContain(lang === 'en' ? 'NOW - answer to see what happens next' : '現在。続きは回答の後に見えます');
      expect(text).toContain('? ? ? ?');
      expect(lines.at(-1)).toContain(lang === 'en' ? 'ANSWER a-c choose' : '回答 a-c 選択');
    }
    await screen.press('enter');
    expect(screen.draw(80, 24).join('\n')).not.toContain('? ? ? ?');
    expect(screen.bench.lesson.verdicts).toMatchObject([{ answer: 'at-mark', right: true, confidence: 2 }]);
  });

  test('hints, help, the lesson alone, and a window that is too small', async () => {
    const screen = await Screen.open(lang);
    await screen.press('enter', 'H', 'H');
    expect(screen.bench.lesson.hintsOf('delete')).toBe(2);
    await screen.press('4');
    expect(screen.draw(80, 24).filter((line) => /^\+=/.test(line))).toHaveLength(2);
    await screen.press('4', '?');
    expect(screen.draw(80, 24).join('\n')).toContain('S S');
    expect(screen.draw(60, 12)).toHaveLength(12);
  });

  test('the palette: what acts in a cluster is for the copy, kinds are read, lessons are left for', async () => {
    const screen = await Screen.open(lang);
    const enter = (text: string): Promise<void> =>
      screen.press(':', ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    await screen.press('enter');
    await enter('fault crash kube-scheduler');
    expect(screen.draw(80, 24).at(-1)).toContain(lang === 'en' ? 'f opens one' : 'fで開きます');
    await enter('pods');
    expect(screen.draw(80, 24).join('\n')).toContain('NAME                  READY   STATUS');
    await enter('lesson 99');
    expect(screen.state.ui.next).toBeUndefined();
    await enter('lesson 4');
    expect(screen.state.ui.next).toBe('4');
  });

  test('who writes reconcile sees the lines and the reply to the last one at 80x24', async () => {
    const screen = await Screen.open(lang, findLesson('your-own-controller'));
    const enter = (text: string): Promise<void> =>
      screen.press('i', 'ctrl-u', ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    await screen.press('enter');
    await enter('apply -f manifests/shop.yaml');
    await screen.press('i');
    expect(screen.draw(80, 24).at(-1)).toMatch(/^ RECONCILE > +/);
    await screen.press('esc');
    await enter('if services.size() == 0 then create Service');
    expect(screen.draw(80, 24).join('\n')).toContain('  1 if services.size() == 0 then create Service');
    await enter('create statefulset');
    const text = screen.draw(80, 24).join('\n');
    expect(text).toContain('  1 if services.size() == 0 then create Service');
    expect(text).toContain(lang === 'en' ? 'This is not a line of reconcile.' : 'reconcileの行として読めません。');
    await screen.press('4');
    expect(screen.draw(80, 24).join('\n')).toContain('if CONDITION then create KIND');
  });

  test('what a controller does can be typed', async () => {
    const screen = await Screen.open(lang, findLesson('what-a-controller-is'));
    const { lesson } = screen.bench;
    while (lesson.question?.kind !== 'control') for (const input of await lesson.solution()) await lesson.send(input);
    const type = (text: string): Promise<void> =>
      screen.press('i', ...Array.from(text, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    expect(screen.draw(80, 24).at(-1)).toContain(lang === 'en' ? 'i type it' : 'i 入力');
    await screen.press('i');
    expect(screen.draw(80, 24).at(-1)).toContain(lang === 'en' ? 'ANSWER > ' : '回答 > ');
    await screen.press('esc');
    await type('create Deployment');
    expect(screen.draw(80, 24).at(-1)).toContain('create Deployment');
    expect(lesson.question.kind).toBe('control');
    await type('create pod x2');
    expect(lesson.verdicts.at(-1)?.answer).toEqual(['create Pod', 'create Pod']);
  });

  test('a controller that is a process of its own is not looked for in kube-controller-manager', async () => {
    const screen = await Screen.open(lang, findLesson('volume-snapshots'));
    await screen.press('enter');
    expect(screen.bench.lesson.veil?.lanes).toContain('{controller}');
    expect(screen.draw(120, 36).join('\n')).not.toContain('ctrl-mgr');
  });

  test('of an order each part is told with its reason', async () => {
    const screen = await Screen.open(lang, findLesson('eks-load-balancers'));
    await screen.press('enter');
    await screen.press('4');
    const { answer } = await screen.bench.lesson.truth();
    const at = (item: string): string => String.fromCharCode(97 + (screen.bench.lesson.question?.options.indexOf(item) ?? 0));
    await screen.press(...[...(answer as readonly string[])].map(at), '3', 'enter', 'i');
    await screen.press(...Array.from('apply -f manifests/front.yaml', (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    const text = screen.draw(120, 36).join('\n');
    expect(text).toMatch(
      lang === 'en' ? /1 the Ingress gets a finalizer\. ingress\.k8s\.aws/ : /1 Ingressにファイナライザーが付く。ingress\.k8s\.aws/,
    );
  });

  test('YAML can be copied: nothing stands beside it', async () => {
    const screen = await Screen.open(lang);
    await screen.press('2', 'j', 'y');
    expect(screen.draw(80, 24)).toContainEqual(expect.stringMatching(/^apiVersion: \S+ *$/));
  });

  test('undo goes back, and the panes show the run as it was', async () => {
    const screen = await Screen.open(lang);
    await screen.press('enter', 'i', ...Array.from(TYPED, (letter) => (letter === ' ' ? 'space' : letter)), 'enter');
    const { entries } = screen.bench.view.run;
    await screen.press('u');
    expect(screen.bench.lesson.step?.id).toBe('delete');
    expect(screen.bench.view.run.entries.length).toBeLessThan(entries.length);
    await screen.press('ctrl-r');
    expect(screen.bench.lesson.step?.id).toBe('when-new-pod');
  });
});
