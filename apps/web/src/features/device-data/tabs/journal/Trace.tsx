import type { ExchangeStep } from "@metrum/contract/headend";
import { traceValue, traceWords, type ResourceKey } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Status } from "#ui/status";
import { failureWords } from "./failureWords.ts";
import { bytesOf, fieldRows, isUnasked, jsonLines, stretchesOf, type Question, type Span } from "./trace.ts";

interface Props {
  readonly question: Question;
  readonly resource: ResourceKey;
  /** Formats a time within the exchange, milliseconds after its start. */
  readonly clockOf: (afterMs: number) => string;
  /** Formats a time reported by the device, epoch seconds. */
  readonly moment: (at: number) => string;
}

/** One request to the device: every attempt with its bytes, then the fields of the last answer. */
export function Trace({ question, resource, clockOf, moment }: Props) {
  const { t } = useTranslation("deviceData");
  const { t: words } = useTranslation("trace");
  const { language, number } = useFormat();
  const last = question.tries.at(-1);
  const answered = last?.received_spans.length ? last : undefined;
  const rows = answered ? fieldRows(answered.received, answered.received_spans) : [];
  const of = { language, resource, number, moment };
  const texts = rows.map(({ name }) => traceWords(name, of));
  const isHowSaid = texts.some(({ how }) => how !== "");
  return (
    <>
      {question.tries.map((step) => (
        <Try key={step.try} step={step} resource={resource} clockOf={clockOf} />
      ))}
      {rows.length === 0 ? null : (
        // Narrow screens scroll it sideways, which needs keyboard focus.
        <div className="trace-fields" role="region" aria-label={t("log.bytesColumn")} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t("log.offset")}</th>
                <th>{t("log.bytesColumn")}</th>
                <th>{t("log.field")}</th>
                {isHowSaid ? <th>{words("howColumn")}</th> : null}
                <th data-align="right">{t("log.value")}</th>
                <th>
                  <span className="visually-hidden">{words("unitColumn")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  <td className="quiet">{row.range}</td>
                  <td className="trace-hex">
                    <Bytes digits={row.digits} kind={row.kind} shade={row.shade} />
                  </td>
                  <td>{texts[at]?.name}</td>
                  {isHowSaid ? <td className="quiet">{texts[at]?.how}</td> : null}
                  <td data-align="right" className="trace-value">
                    <b>{traceValue(row, of)}</b>
                  </td>
                  <td className="trace-unit">{texts[at]?.unit}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

type Parts = Omit<Props, "question" | "moment">;

function Try({ step, resource, clockOf }: Parts & { readonly step: ExchangeStep }) {
  const { t } = useTranslation("deviceData");
  const { t: words } = useTranslation("trace");
  const { language } = useFormat();
  const { error } = step;
  const answered =
    step.answered_ms === null
      ? error
        ? ""
        : t("log.noAnswer")
      : t("log.answered", { ms: Math.round(step.answered_ms - step.at_ms) });
  return (
    <section className={error ? "trace-try is-failed" : "trace-try"}>
      <header>
        <Status kind={error ? "alarm" : "ok"}>
          <b>{isUnasked(step) ? words("tries.unasked") : t("log.try", { n: step.try, of: step.tries })}</b>
          {error ? `, ${failureWords(error, { t: words, language })}` : ""}
        </Status>
        <span className="quiet">
          {[clockOf(step.at_ms), isUnasked(step) ? "" : answered].filter(Boolean).join(", ")}
        </span>
      </header>
      {step.sent === "" ? null : (
        <Frame
          title={t("log.sent")}
          arrow="↑"
          hex={step.sent}
          spans={step.sent_spans}
          isBad={false}
          resource={resource}
        />
      )}
      {step.received === "" ? null : (
        <Frame
          title={t("log.received")}
          arrow="↓"
          hex={step.received}
          spans={step.received_spans}
          isBad={error?.kind === "checksum"}
          resource={resource}
        />
      )}
    </section>
  );
}

interface FrameProps {
  readonly title: string;
  readonly arrow: string;
  readonly hex: string;
  readonly spans: readonly Span[];
  readonly isBad: boolean;
  readonly resource: ResourceKey;
}

/** Fields of more bytes than this are wider than any name. */
const wideFrom = 6;

/** Bytes of 29 px with their names below; the checksum is green, or red when it is wrong. */
function Frame({ title, arrow, hex, spans, isBad, resource }: FrameProps) {
  const { t } = useTranslation("deviceData");
  const { language } = useFormat();
  const text = spans.length === 0 ? jsonLines(hex) : undefined;
  return (
    <div className="trace-frame">
      <span className="trace-way">
        <b aria-hidden="true">{arrow}</b> {title}
      </span>
      {text === undefined ? (
        <ol>
          {stretchesOf(hex, spans).map((stretch) => {
            const name =
              stretch.name === null ? undefined : traceWords(stretch.name, { language, resource }).name;
            return (
              <li
                key={stretch.offset}
                className={isBad && stretch.kind === "checksum" ? "is-bad" : undefined}
              >
                <Bytes
                  digits={stretch.bytes}
                  kind={stretch.kind}
                  shade={stretch.shade}
                  isBad={isBad && stretch.kind === "checksum"}
                />
                <small title={name} className={stretch.bytes.length > wideFrom ? "is-wide" : undefined}>
                  {name}
                </small>
              </li>
            );
          })}
        </ol>
      ) : (
        <pre>{text}</pre>
      )}
      <span className="trace-count quiet">{t("log.bytes", { count: bytesOf(hex).length })}</span>
    </div>
  );
}

function Bytes(props: {
  readonly digits: readonly string[];
  readonly kind: string;
  readonly shade: number;
  readonly isBad?: boolean;
}) {
  const { digits, kind, shade, isBad = false } = props;
  return (
    <span className="trace-bytes" data-kind={kind} data-shade={shade} data-bad={isBad ? "" : undefined}>
      {digits.map((byte, at) => (
        <i key={at}>{byte}</i>
      ))}
    </span>
  );
}
