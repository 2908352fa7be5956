import { fields, type Field } from "@metrum/vocabulary";
import { useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { tokenOf, useThemeVersion } from "#lib/theme";
import { StatusGlyph, type StatusKind } from "#ui/status";
import { paint, side } from "./paint.ts";
import { balancedPercent, findingsOf, phasorsOf, shiftOf, steadyPercent, type Phase } from "./phasors.ts";
import "./vectorDiagram.css";

const letters = ["A", "B", "C"] as const;

/**
 * Voltages and currents of three phases as vectors on one circle, the same in figures, and their faults in
 * words.
 */
export function VectorDiagram({ phases }: { readonly phases: readonly Phase[] }) {
  const { t } = useTranslation("vector");
  const { number } = useFormat();
  const hasCos = phases.some(({ cos }) => typeof cos === "number");
  const value = (given: number | null | undefined, { decimals }: Field) =>
    given === null || given === undefined ? "—" : number(given, decimals);
  return (
    <figure className="vectors" aria-label={t("title")}>
      <VectorCanvas phases={phases} />
      <figcaption>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("phase")}</th>
              <th scope="col">{t("voltage")}</th>
              <th scope="col">{t("current")}</th>
              {hasCos ? <th scope="col">{t("cos")}</th> : null}
              {hasCos ? <th scope="col">{t("shift")}</th> : null}
            </tr>
          </thead>
          <tbody>
            {phases.map((phase, at) => (
              <tr key={letters[at]}>
                <th scope="row">{`${String(at + 1)} ${letters[at] ?? ""}`}</th>
                <td>{value(phase.voltage, fields.voltage1)}</td>
                <td>{value(phase.current, fields.current1)}</td>
                {hasCos ? <td>{value(phase.cos, fields.cos1)}</td> : null}
                {hasCos ? (
                  <td>{typeof phase.cos === "number" ? `${number(shiftOf(phase), 0)}°` : "—"}</td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="vectors-key">
          <svg width="20" height="6" aria-hidden="true">
            <path className="vectors-voltage" d="M0 3h20" />
          </svg>
          {t("key.voltage")}
        </p>
        <p className="vectors-key">
          <svg width="20" height="6" aria-hidden="true">
            <path className="vectors-current" d="M0 3h20" />
          </svg>
          {t("key.current")}
        </p>
        <Words phases={phases} />
      </figcaption>
    </figure>
  );
}

function VectorCanvas({ phases }: { readonly phases: readonly Phase[] }) {
  const { t } = useTranslation("vector");
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useThemeVersion();
  const phasors = useMemo(() => phasorsOf(phases), [phases]);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = Math.max(1, devicePixelRatio);
    element.width = element.height = side * ratio;
    context.scale(ratio, ratio);
    paint(context, phasors, {
      voltage: tokenOf(element, "electricity"),
      current: tokenOf(element, "ink-2"),
      line: tokenOf(element, "line-2"),
      text: tokenOf(element, "ink-3"),
      panel: tokenOf(element, "panel"),
      font: getComputedStyle(element).fontFamily,
    });
  }, [phasors, theme]);
  return <canvas ref={canvas} width={side} height={side} role="img" aria-label={t("picture")} />;
}

function Words({ phases }: { readonly phases: readonly Phase[] }) {
  const { t } = useTranslation("vector");
  const { number } = useFormat();
  const { isOrderRight, voltageSpread, currentSpread, heaviest, reversed } = findingsOf(phases);
  const words: readonly { readonly kind: StatusKind; readonly text: string }[] = [
    isOrderRight === undefined
      ? { kind: "off", text: t("order.unknown") }
      : isOrderRight
        ? { kind: "ok", text: t("order.right") }
        : { kind: "alarm", text: t("order.wrong") },
    ...(voltageSpread === null
      ? []
      : [
          {
            kind: voltageSpread > steadyPercent ? ("warn" as const) : ("ok" as const),
            text: t("spread.voltage", { percent: number(voltageSpread, 1) }),
          },
        ]),
    ...(currentSpread === null || heaviest === null
      ? []
      : [
          {
            kind: currentSpread > balancedPercent ? ("warn" as const) : ("ok" as const),
            text: t("spread.current", { percent: number(currentSpread, 0), phase: heaviest }),
          },
        ]),
    ...reversed.map((phase) => ({ kind: "alarm" as const, text: t("reversed", { phase }) })),
  ];
  return (
    <ul className="vectors-words">
      {words.map(({ kind, text }) => (
        <li key={text}>
          <StatusGlyph kind={kind} />
          {text}
        </li>
      ))}
    </ul>
  );
}
