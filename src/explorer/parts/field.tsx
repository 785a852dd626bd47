/** A text field below its label. */
export function Field(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  placeholder?: string | undefined;
  wide?: boolean;
}) {
  const { label, value, onValue, placeholder, wide } = props;
  return (
    <label class={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      <input
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}
