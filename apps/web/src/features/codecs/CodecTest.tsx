import { codecs, type ReplyOf } from "@metrum/contract";
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { NumberField, TextField } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import { fieldMapOf, payloadOf, type Draft } from "./draft.ts";

interface Props {
  readonly draft: Draft;
  readonly onDraft: (next: Partial<Draft>) => void;
}

/** Runs the text as it stands on one payload, as the server would, and stores nothing. */
export function CodecTest({ draft, onDraft }: Props) {
  const { t } = useTranslation("codecs");
  const [result, setResult] = useState<ReplyOf<typeof codecs.test> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const payload = payloadOf(draft.payload);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (payload === null) return;
    setBusy(true);
    const { source, map, model_id, fport } = draft;
    const body = { source_code: source, payload, fport, model_id, field_map: fieldMapOf(map) };
    await exchange(codecs.test, { body }).then(
      ({ data }) => setResult(data),
      () => setResult(null),
    );
    setBusy(false);
  };
  return (
    <form className="codecs-test" onSubmit={(event) => void submit(event)} noValidate>
      <h2>{t("test")}</h2>
      <div className="codecs-try">
        <TextField
          label={t("payload")}
          value={draft.payload}
          autoComplete="off"
          spellCheck={false}
          error={payload === null ? t("payloadWrong") : undefined}
          onChange={(event) => onDraft({ payload: event.currentTarget.value })}
        />
        <NumberField
          label={t("fport")}
          value={draft.fport}
          min={0}
          max={255}
          decimals={0}
          onValue={(fport) => onDraft({ fport: fport ?? 1 })}
        />
        <Button type="submit" icon="play" isBusy={isBusy} disabled={payload === null || isBusy}>
          {t("run")}
        </Button>
      </div>
      <div aria-live="polite">{result === null ? null : <Result result={result} />}</div>
    </form>
  );
}

function Result({ result }: { readonly result: ReplyOf<typeof codecs.test> }) {
  const { t } = useTranslation("codecs");
  const { number } = useFormat();
  return (
    <div className="codecs-result">
      <p>{t("took", { ms: number(result.duration_ms, 1) })}</p>
      {result.errors.map((text) => (
        <p key={text}>
          <StatusGlyph kind="alarm" /> {text}
        </p>
      ))}
      {result.warnings.map((text) => (
        <p key={text}>
          <StatusGlyph kind="warn" /> {text}
        </p>
      ))}
      {result.readings.length === 0 ? null : (
        <table>
          <caption>{t("stored")}</caption>
          <tbody>
            {result.readings.map(({ name, value, unit, time }) => (
              <tr key={`${name} ${String(time)}`}>
                <th scope="row">{name}</th>
                <td>{value === null ? "—" : number(value, 4)}</td>
                <td>{unit}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {result.data === null ? null : (
        <pre tabIndex={0} aria-label={t("answer")}>
          {JSON.stringify(result.data, null, 2)}
        </pre>
      )}
    </div>
  );
}
