import type { TFunction } from "i18next";

type Words = TFunction<"trace">;

/** Labels of questions of Mercury, IEC 62056-21 and DLMS that say no more than what they are. */
const plain = {
  "Close the channel": "step.close",
  "Read variant": "step.variant",
  "Find the last record of the power profile": "step.lastProfile",
  "Sign on and wait for the read-out of modes A and B": "step.signOnWait",
  "Ask for the read-out": "step.readOut",
  "Enter programming mode": "step.programming",
  "Send the password": "step.password",
  "Go on": "step.goOn",
  "Break off": "step.breakOff",
  "Connect (SNRM)": "step.connect",
  "Disconnect (DISC)": "step.disconnect",
  "Associate (AARQ)": "step.associate",
  "Release (RLRQ)": "step.release",
} as const;
const isPlain = (label: string): label is keyof typeof plain => Object.hasOwn(plain, label);

/** A question of a meter in words; undefined if it is none of these. `named` says what a value is called. */
export function meterStep(label: string, t: Words, named: (name: string) => string): string | undefined {
  if (isPlain(label)) return t(plain[label]);
  return cosemStep(label, t) ?? mercuryStep(label, t) ?? valueStep(label, t, named);
}

/** "Read 1.0.99.1.0.255 attribute 2, rows from A to B, block 2, segment 3". */
function cosemStep(label: string, t: Words): string | undefined {
  const found =
    /^Read ([\d.]+) attribute (\d+)(?:, rows from (\S+) to ([^\s,]+))?(?:, block (\d+))?(?:, segment (\d+))?$/.exec(
      label,
    );
  if (!found) return undefined;
  const [, obis = "", n = "", from, to, block, segment] = found;
  let what: string = t("step.attribute", { obis, n });
  if (from !== undefined) what = t("step.rows", { what, from: momentText(from), to: momentText(to ?? "") });
  if (block !== undefined) what = t("step.block", { what, n: block });
  return segment === undefined ? what : t("step.segment", { what, n: segment });
}

/** 2026-11-20T05:30 as 20.11.2026 05:30. */
const momentText = (iso: string): string =>
  iso.replace(/^(\d{4})-(\d\d)-(\d\d)T?(.*)$/, "$3.$2.$1 $4").trim();

function mercuryStep(label: string, t: Words): string | undefined {
  const level = /^Open the channel, level (\d)$/.exec(label)?.[1];
  if (level !== undefined) return t("step.open", { n: level });
  const energy = /^Read energy, period (\d+), month (\d+), tariff (\d+)$/.exec(label);
  if (energy)
    return energyStep(t, { period: energy[1] ?? "", month: energy[2] ?? "", tariff: energy[3] ?? "" });
  const profile = /^Read power profile at (\w+)$/.exec(label)?.[1];
  if (profile !== undefined) return t("step.profileAt", { n: profile });
  const journal = /^Read journal (\w+), record (\d+)$/.exec(label);
  return journal ? t("step.journal", { n: journal[1] ?? "", record: journal[2] ?? "" }) : undefined;
}

/** Period and month 0 are since the reset, tariff 0 is the sum. */
function energyStep(t: Words, of: Readonly<Record<"period" | "month" | "tariff", string>>): string {
  if (of.period !== "0" || of.month !== "0") return t("step.energy", of);
  return of.tariff === "0" ? t("step.energySum") : t("step.energyReset", { tariff: of.tariff });
}

function valueStep(label: string, t: Words, named: (name: string) => string): string | undefined {
  const signed = /^Sign on to (.*)$/.exec(label)?.[1];
  if (signed !== undefined) return t("step.signOn", { n: signed });
  const [, way, of = ""] = /^(Read|Write) (?:the )?(.+?)(?:\(\))?$/.exec(label) ?? [];
  if (way === undefined) return undefined;
  return t(way === "Read" ? "step.read" : "step.write", { what: named(of) });
}
