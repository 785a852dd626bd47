import { EditorView } from '@codemirror/view';

/** The look of the source, in the colours of style/tokens.css. The page's other rules don't reach into the editor's shadow root. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%' },
  '&.cm-focused': { outline: 'none' },
  // An outline would be covered by the numbers.
  '&:has(.cm-content:focus-visible)::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '1',
    border: '2px solid var(--accent)',
    borderRadius: '0 0 var(--rounder) var(--rounder)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: 'var(--small)', lineHeight: '20px' },
  // The extra height lets the last line scroll up into the upper part of the view.
  '.cm-content': { padding: '0 0 30vh' },
  '.cm-line': { padding: '0 var(--s4) 0 var(--s3)' },
  '.cm-gutters, .cm-gutters.cm-gutters-before': { border: '0', background: 'var(--panel)' },
  '.cm-gutterElement': { minWidth: '58px' },
  '.number': {
    display: 'block',
    width: '100%',
    height: '20px',
    padding: '0 8px 0 14px',
    border: '0',
    color: 'var(--dim)',
    background: 'none',
    font: 'var(--tiny) / 20px var(--mono)',
    textAlign: 'right',
    cursor: 'pointer',
  },
  '.number:hover': { background: 'var(--soft)' },
  '.number.failing': { color: 'var(--bad)', background: 'var(--bad-soft)', fontWeight: 'var(--bold)' },
  '.number[aria-pressed=true]': { color: 'var(--on-accent)', background: 'var(--accent)' },
  '.cm-activeLine': { background: 'none' },
  '.current': { background: 'var(--mark)' },
  '.cm-line.failing': { background: 'var(--bad-soft)' },
  '.cm-line.failing.current': { outline: '1px solid var(--bad)', outlineOffset: '-1px' },
  '&.cm-focused .cm-activeLine': { outline: '1px solid var(--edge)', outlineOffset: '-1px' },
  mark: { color: 'inherit', background: 'var(--mark)', outline: '1px solid var(--warn)' },
  '.escape': { color: 'var(--bad)' },
  '.t-comment': { color: 'var(--dim)' },
  '.t-text': { color: 'var(--good)' },
  '.t-number': { color: 'var(--warn)' },
  '.t-word, .t-type': { color: 'var(--accent)' },
  '@media (max-width: 640px)': {
    '.cm-gutterElement': { minWidth: '44px' },
    '.number': { paddingLeft: '2px' },
  },
});
