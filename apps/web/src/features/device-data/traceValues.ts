import type { Span } from "./trace.ts";
import { plainName } from "./traceNames.ts";
import { unitWords } from "./traceUnits.ts";
import { register, slugOf, spanWords, type WordsOf } from "./traceWords.ts";

interface Of extends WordsOf {
  readonly number: (value: number, decimals?: number) => string;
  /** A moment in epoch seconds, as people read it. */
  readonly moment: (at: number) => string;
}

const code =
  /^(?:crc|checksum|c, control field|ci, control information|dif.*|start.*|stop|acknowledgement|configuration|[fh]cs.*|flag.*|frame format.*|class|diagnostic|.*\bbcc)$/i;
/** "ETX, BCC" are two bytes, of which the second is the check. */
const isBcc = (name: string) => name.endsWith("BCC");
/** Unix times are told by their size: a meter of this century counts more than a milliard seconds. */
const firstMoment = 1e9;

/** A value as people read it: codes and places in hex, times as times, what was measured with every digit and the mark of the language. */
export function spanValue(span: Span, of: Of): string {
  const { value, bytes } = span;
  const { plain: name, isContinued } = plainName(span.name);
  if (value === null || isContinued) return "";
  if (typeof value === "string") return textValue(name, value, of);
  // The register that is asked for; where nobody is named by "unit", it is the number of the meter.
  const isRegister = name === "address" && of.hasUnit !== false;
  if (isRegister || code.test(name))
    return `0x${value
      .toString(16)
      .toUpperCase()
      .padStart(isBcc(name) ? 2 : bytes * 2, "0")}`;
  if (/^time\b/i.test(name) && value >= firstMoment) return of.moment(value);
  const isMeasured = register.test(name) || name.includes(", ") || name.startsWith("input ");
  const decimals = (/\.(\d+)$/.exec(String(value))?.[1] ?? "").length;
  return isMeasured ? of.number(value, decimals) : String(value);
}

/** Words of a driver that stand for a code; what is no such word, or an unknown one, stays as it came. */
function textValue(name: string, value: string, of: Of): string {
  const { t } = of;
  if (name === "clock") return clockValue(value, t);
  if (name === "settings") return settingsValue(value, of);
  if (/^vif/i.test(name)) return quantityValue(value, of);
  if (name === "CI, what follows") return t(`follows.${slugOf(value)}`, { defaultValue: value });
  if (name === "Check sum of the radio" && value === "right") return t("value.right");
  if (name === "Medium") return t(`medium.${slugOf(value)}`, { defaultValue: value });
  if (name.endsWith(", type")) return t(`kind.${value}`, { defaultValue: value });
  if (name === "status") return t(`status.${slugOf(value)}`, { defaultValue: value });
  return dayFirst(value);
}

/** 2026-11-22T15:41:35 as 22.11.2026 15:41:35; a driver's Z is no zone, the clock is the meter's own. */
const dayFirst = (text: string): string =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d)?)Z?)?$/, (_, year, month, day, time) =>
    [`${String(day)}.${String(month)}.${String(year)}`, time].filter(Boolean).join(" "),
  );

function clockValue(value: string, t: Of["t"]): string {
  const [at = value, season] = value.split(" ");
  return season === "winter" || season === "summer"
    ? t(`value.${season}`, { at: dayFirst(at) })
    : dayFirst(value);
}

/** "Energy, Wh": what is measured, in which unit. */
function quantityValue(value: string, of: Of): string {
  const { name, unit } = spanWords(value, of);
  return unit === "" ? name : `${name}, ${unit}`;
}

/** "OTAA, every 1 h, security inputs 3 4". */
function settingsValue(value: string, { t, language }: Of): string {
  const found = /^(ABP|OTAA), every (\d+) (min|h)(?:, security inputs ([\d ]+))?$/.exec(value);
  if (!found) return value;
  const [, way = "", n = "", unit = "", inputs] = found;
  const period = `${n} ${unitWords(unit, { t, language })}`;
  return inputs === undefined
    ? t("value.settings", { way, period })
    : t("value.settingsGuarded", { way, period, inputs: inputs.replaceAll(" ", ", ") });
}
