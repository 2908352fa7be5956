import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatOffset, useNow } from "#lib/format";
import { parseDateTime } from "#ui/dateRange";
import { TextField, type FieldTexts } from "#ui/field";

interface Props extends Omit<FieldTexts, "theirs"> {
  /** Epoch seconds. */
  readonly value: number | null;
  readonly onValue: (at: number | null) => void;
  readonly zone: string;
  readonly name?: string;
  readonly theirs?: number | null | undefined;
}

/** From this length on, a typed date is complete: 22.10.2026 10:40. */
const wholeLength = 16;

/** A day and time, typed or pasted as 22.10.2026 10:40, in the zone that its unit names. */
export function MomentField({ value, onValue, zone, theirs: _, ...texts }: Props) {
  const { t } = useTranslation("accountingPoints");
  const now = useNow();
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const parsed = typed === null ? undefined : parseDateTime(typed, zone);
  const isWrong = typed !== null && typed.trim() !== "" && parsed === undefined;
  const take = (text: string) => onValue(text.trim() === "" ? null : (parseDateTime(text, zone) ?? value));
  return (
    <TextField
      {...texts}
      error={isWrong && isLeft ? t("moment.wrong") : texts.error}
      ref={(input) => input?.setCustomValidity(isWrong ? t("moment.wrong") : "")}
      unit={formatOffset(value ?? now, zone)}
      placeholder={t("moment.form")}
      autoComplete="off"
      inputMode="text"
      maxLength={19}
      value={typed ?? (value === null ? "" : formatDateTime(value, zone))}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        setLeft(false);
        if (text.trim() === "" || text.trim().length >= wholeLength) take(text);
      }}
      onBlur={() => {
        setLeft(true);
        if (typed === null || isWrong) return;
        take(typed);
        setTyped(null);
      }}
    />
  );
}
