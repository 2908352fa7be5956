import type { ExchangeStep } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { Status } from "#ui/status";
import { bytesOf, fieldRows, stretchesOf, type Question, type Span } from "./trace.ts";

/** One question to the device: every try with its bytes, then what the last answer means field by field. */
export function Trace({ question }: { readonly question: Question }) {
  const { t } = useTranslation("deviceData");
  const last = question.tries.at(-1);
  const answered = last?.received_spans.length ? last : undefined;
  const rows = answered ? fieldRows(answered.received, answered.received_spans) : [];
  return (
    <>
      {question.tries.map((step) => (
        <Try key={step.try} step={step} />
      ))}
      {rows.length === 0 ? null : (
        <div className="trace-fields">
          <table>
            <thead>
              <tr>
                <th>{t("log.offset")}</th>
                <th>{t("log.bytesColumn")}</th>
                <th>{t("log.field")}</th>
                <th data-align="right">{t("log.value")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  <td className="quiet">{row.range}</td>
                  <td className="trace-hex">{row.text}</td>
                  <td>{row.name}</td>
                  <td data-align="right">
                    <b>{row.value ?? ""}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Try({ step }: { readonly step: ExchangeStep }) {
  const { t } = useTranslation("deviceData");
  const { error } = step;
  const took = step.answered_ms === null ? null : Math.round(step.answered_ms - step.at_ms);
  return (
    <section className={error ? "trace-try is-failed" : "trace-try"}>
      <header>
        <Status kind={error ? "alarm" : "ok"}>
          <b>{t("log.try", { n: step.try, of: step.tries })}</b>
          {error ? `, ${error.message}` : ""}
        </Status>
        <span className="quiet">{took === null ? t("log.noAnswer") : t("log.answered", { ms: took })}</span>
      </header>
      <Frame title={t("log.sent")} arrow="↑" hex={step.sent} spans={step.sent_spans} isBad={false} />
      {step.received === "" ? null : (
        <Frame
          title={t("log.received")}
          arrow="↓"
          hex={step.received}
          spans={step.received_spans}
          isBad={error?.kind === "checksum"}
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
}

/** Bytes of 29 px with their names under them; the checksum is green, or red when it was wrong. */
function Frame({ title, arrow, hex, spans, isBad }: FrameProps) {
  const { t } = useTranslation("deviceData");
  return (
    <div className="trace-frame">
      <span className="trace-way">
        <b aria-hidden="true">{arrow}</b> {title}
      </span>
      <ol>
        {stretchesOf(hex, spans).map((stretch) => (
          <li
            key={stretch.offset}
            data-kind={stretch.kind}
            data-shade={stretch.shade}
            data-bad={isBad ? "" : undefined}
          >
            <span className="trace-bytes">
              {stretch.bytes.map((byte, at) => (
                <i key={at}>{byte}</i>
              ))}
            </span>
            <small title={stretch.name ?? undefined}>{stretch.name}</small>
          </li>
        ))}
      </ol>
      <span className="quiet">{t("log.bytes", { count: bytesOf(hex).length })}</span>
    </div>
  );
}
