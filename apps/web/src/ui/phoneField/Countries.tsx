import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { LongList } from "#ui/longList";
import { countries, type Country } from "./countries.ts";
import { Flag } from "./Flag.tsx";

interface Props {
  readonly current: Country;
  readonly onCountry: (country: Country) => void;
}

/** Countries by name, found by name in Russian or English or by dial code. */
export function Countries({ current, onCountry }: Props) {
  const { t } = useTranslation("common");
  const { language } = useFormat();
  const [text, setText] = useState("");
  const search = useRef<HTMLInputElement>(null);
  // Not a layout effect: the popover is shown in one, and before it takes no focus.
  useEffect(() => {
    search.current?.focus();
  }, []);
  const nameOf = (country: Country) => (language === "ru" ? country.name : country.name_en);
  const wanted = text.trim().toLowerCase();
  const found = countries
    .filter(({ name, name_en, dialCode }) =>
      [name, name_en, dialCode].some((each) => each.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), language));
  return (
    <>
      <span className="input">
        <input
          value={text}
          aria-label={t("search")}
          placeholder={t("search")}
          ref={search}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            const [first] = found;
            if (first) onCountry(first);
          }}
        />
      </span>
      <LongList items={found} keyOf={({ countryCode }) => countryCode} className="phone-countries">
        {(country) => (
          <button
            type="button"
            aria-current={country.countryCode === current.countryCode || undefined}
            onClick={() => onCountry(country)}
          >
            <Flag country={country} />
            <span>{nameOf(country)}</span>
            <small>{country.dialCode}</small>
          </button>
        )}
      </LongList>
      {found.length === 0 ? <p role="status">{t("dialog.notFound")}</p> : null}
    </>
  );
}
