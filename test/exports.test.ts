import { expect, it } from 'vitest';
import * as library from 'bottleship';
import * as testing from 'bottleship/testing';

it('bottleship exports what it says', () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot();
});

it('bottleship/testing exports what it says', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot();
});
