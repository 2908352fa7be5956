import { commandOf, units, type UnitKey } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { FactLines } from "#ui/facts";
import type { Status } from "../present.ts";

/** Units of what a gateway tells of itself. */
const parameterUnits: Readonly<Record<string, UnitKey>> = {
  signal_level: "dBm",
  uptime: "second",
  board_temperature: "celsius",
};

/** Single parameters that a gateway has told. */
export function Parameters({ status }: { readonly status: Status }) {
  const { language, number } = useFormat();
  const told = status["gateway_settings"];
  if (typeof told !== "object" || told === null) return null;
  const facts = Object.entries(told).flatMap(([name, value]) => {
    const unit = parameterUnits[name];
    if (typeof value !== "number") return [];
    const shown = unit === undefined ? number(value) : `${number(value)} ${units[unit][language]}`;
    return [{ name, title: commandOf(name)?.title[language] ?? name, value: shown }];
  });
  return facts.length === 0 ? null : <FactLines facts={facts} />;
}

/** What has answered the bytes of a user, hexadecimal. */
export function RawAnswer({ status }: { readonly status: Status }) {
  const { t } = useTranslation("control");
  const answer = status["raw_answer"];
  if (typeof answer !== "string" || answer === "") return null;
  return (
    <p>
      {t("rawAnswer")} <code>{answer}</code>
    </p>
  );
}
