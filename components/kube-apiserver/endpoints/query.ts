/** How the API reads a boolean of the query: only `false` and `0` are false, present without value is true. apimachinery pkg/runtime.Convert_Slice_string_To_bool */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && text.toLowerCase() !== 'false' && text !== '0';
}
