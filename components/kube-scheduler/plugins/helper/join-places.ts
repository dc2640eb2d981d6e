/** Puts lists in rising order together into one; absent when it would be as long as `limit`. */
export function joinPlaces(lists: readonly (readonly number[])[], limit: number): readonly number[] | undefined {
  if (lists.length === 1) return lists[0];
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  return length < limit ? lists.flat().sort((a, b) => a - b) : undefined;
}
