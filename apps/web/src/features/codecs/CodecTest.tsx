import type { ReplyOf } from "@metrum/contract/core";
import { codecs } from "@metrum/contract/metering";
import { fieldOf, isFieldName, type ResourceKey } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { NumberField, TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { StatusGlyph } from "#ui/status";
import { fieldMapOf, payloadOf, type Draft } from "./draft.ts";

interface Props {
  readonly draft: Draft;
  readonly resource: ResourceKey;
  readonly onDraft: (next: Partial<Draft>) => void;
}

/** Runs the edited text on one payload, as the server would, and stores nothing. */
export function CodecTest({ draft, resource, onDraft }: Props) {
  const { t } = useTranslation("codecs");
  const [result, setResult] = useState<ReplyOf<typeof codecs.test> | null>(null);
  const payload = payloadOf(draft.payload);
  const form = useForm({
    stored: draft,
    send: ({ source, map, model_id, fport }) => {
      const body = {
        source_code: source,
        payload: payload ?? "",
        fport,
        model_id,
        field_map: fieldMapOf(map),
      };
      return exchange(codecs.test, { body });
    },
    onSaved: setResult,
    onRefused: () => setResult(null),
  });
  return (
    <Form form={form} className="codecs-test">
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
        <Button type="submit" icon="play" isBusy={form.isBusy} disabled={payload === null || form.isBusy}>
          {t("run")}
        </Button>
      </div>
      <div aria-live="polite">{result === null ? null : <Result {...{ result, resource }} />}</div>
    </Form>
  );
}

interface ResultProps {
  readonly result: ReplyOf<typeof codecs.test>;
  readonly resource: ResourceKey;
}

function Result({ result, resource }: ResultProps) {
  const { t } = useTranslation("codecs");
  const { number, language } = useFormat();
  const decimalsOf = (name: string) => (isFieldName(name) ? fieldOf(name, resource).decimals : undefined);
  const titleOf = (name: string) => (isFieldName(name) ? fieldOf(name, resource).title[language] : "");
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
                <th scope="row">
                  {titleOf(name)} <small>{name}</small>
                </th>
                <td>{value === null ? "—" : number(value, decimalsOf(name))}</td>
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
