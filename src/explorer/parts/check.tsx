/** A checkbox, followed by its label. @param asSwitch looks like a switch */
export function Check(props: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  asSwitch?: boolean;
}) {
  return (
    <label class={props.asSwitch ? 'check switch' : 'check'}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}
