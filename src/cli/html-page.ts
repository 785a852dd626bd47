import { printable } from '../log/printable.ts';

const STYLE = `:root{color-scheme:light dark;--text:#1c1e21;--soft:#5d6570;--back:#fff;--line:#dfe3e8;--bad:#b3261e;--other:#8a5300;--more:#6b5a00;--less:#1a7340;--same:#5d6570}
@media(prefers-color-scheme:dark){:root{--text:#e6e8eb;--soft:#9aa3ad;--back:#15181c;--line:#2d333a;--bad:#ff8a80;--other:#ffb95c;--more:#e0cf6b;--less:#7ed6a0;--same:#9aa3ad}}
body{margin:2rem auto;max-width:76rem;padding:0 1rem;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}p{color:var(--soft)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.35rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:500}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
.bad{color:var(--bad)}.other{color:var(--other)}.more{color:var(--more)}.less{color:var(--less)}.same{color:var(--same)}`;

/**
 * Makes a self-contained page, without scripts or external files.
 * @param body HTML @param style CSS rules in addition to those of all pages
 */
export function htmlPage(title: string, body: string, style = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${STYLE}${style}</style></head>
<body>
${body}
</body></html>
`;
}

/** Formats a number with thousands separators: `1,234` */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** Escapes text from the chain for HTML. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return printable(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
