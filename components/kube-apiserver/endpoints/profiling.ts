import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';

const ROOT = '/debug/pprof/';

const INDEX = `<html>
<head>
<title>${ROOT}</title>
</head>
<body>
${ROOT}
<br>
<p>Set debug=1 as a query parameter to export in legacy text format</p>
<br>
Types of profiles available:
<table>
<thead><td>Count</td><td>Profile</td></thead>
</table>
</body>
</html>
`;

/**
 * `/debug/pprof`: the page of the profiles of a Go program; undefined for other paths. There is no such program here, and so no profile.
 * apiserver pkg/server/routes.Profiling
 */
export function profiling({ info: { path } }: ApiRequest): ApiResponse | undefined {
  if (path !== '/debug/pprof' && !path.startsWith(ROOT)) return undefined;
  const html = { 'content-type': 'text/html; charset=utf-8' };
  if (!path.startsWith(ROOT)) return { code: 302, text: `<a href="${ROOT}">Found</a>.\n\n`, headers: { ...html, location: ROOT } };
  if (path === ROOT) return { code: 200, text: INDEX, headers: html };
  return { code: 404, text: 'Unknown profile\n', headers: { 'x-go-pprof': '1' } };
}
