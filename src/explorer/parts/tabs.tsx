/** Links between the parts of a page. The URL of the first part has no name. */
export function Tabs(props: {
  label: string;
  path: string;
  tabs: readonly (readonly [name: string, text: string])[];
  chosen: string;
}) {
  const { label, path, tabs, chosen } = props;
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, text], i) => (
        <a
          key={name}
          href={i === 0 ? `#/${path}` : `#/${path}/${name}`}
          aria-current={name === chosen ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
