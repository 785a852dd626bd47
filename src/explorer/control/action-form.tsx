import { useState } from 'preact/hooks';
import { type Action, parameter } from '../data/actions.ts';
import { addressIn } from '../names/address-in.ts';
import { Check } from '../parts/check.tsx';
import { Field } from '../parts/field.tsx';
import { requestText, send } from './send.ts';

/**
 * The form of a request: its fields, its button, and the request as it would be sent.
 * @param present current values by the names that `ACTIONS` uses in braces
 */
export function ActionForm({
  action,
  present,
}: {
  action: Action;
  present: Readonly<Record<string, string>>;
}) {
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => present[name] ?? '');
  const inputs = action.inputs.map((input) => ({ ...input, label: filled(input.label) }));
  const [texts, setTexts] = useState(inputs.map(({ initial }) => filled(initial)));
  const [problem, setProblem] = useState('');
  const read = () => inputs.map((input, i) => parameter(input, texts[i]!, addressIn));
  let params: unknown[] | undefined;
  try {
    params = read();
  } catch {
    // The error is shown when the button is pressed.
  }
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      void send(action.method, read());
      setProblem('');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const change = (at: number, text: string) => setTexts(texts.map((old, i) => (i === at ? text : old)));
  return (
    <form class="action" aria-label={action.title} onSubmit={submit}>
      <div class="form">
        {inputs.map(({ label, as }, i) =>
          as === 'boolean' ? (
            <Check
              key={label}
              label={label}
              asSwitch
              checked={texts[i] === 'true'}
              onChange={(on) => change(i, String(on))}
            />
          ) : (
            <Field
              key={label}
              label={label}
              value={texts[i]!}
              wide={as === 'text' || as === 'json' || as === 'address'}
              onValue={(text) => change(i, text)}
            />
          ),
        )}
        <button type="submit">{action.title}</button>
      </div>
      <code class="request">{params ? requestText(action.method, params) : action.method}</code>
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
