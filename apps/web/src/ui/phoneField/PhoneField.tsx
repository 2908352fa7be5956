import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Field, type FieldTexts } from "#ui/field";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";
import { countryOf, maskPhone, movedTo, usualCountry, type Country } from "./countries.ts";
import { Flag } from "./Flag.tsx";
import "./phoneField.css";

const Countries = lazily(async () => ({ default: (await import("./Countries.tsx")).Countries }));

interface Props extends FieldTexts {
  /** "+97699112233", or empty. */
  readonly value: string;
  readonly onValue: (phone: string) => void;
  readonly name?: string;
  readonly autoComplete?: string;
}

/**
 * A telephone number with the flag and dial code of its country (UI-042), determined by the number or chosen.
 */
export function PhoneField({ value, onValue, name, autoComplete = "tel", ...texts }: Props) {
  const { t } = useTranslation("common");
  const { language } = useFormat();
  const [chosen, setChosen] = useState<Country | null>(null);
  // Countries that share a dial code cannot be distinguished by a number.
  const isChosen = chosen !== null && (value === "" || value.startsWith(chosen.dialCode));
  const country = (isChosen ? chosen : countryOf(value)) ?? usualCountry(language);
  const choose = (next: Country) => {
    setChosen(next);
    onValue(movedTo(next, value));
  };
  return (
    <Field {...texts}>
      {(wired) => (
        <span className="input phone-field">
          <Popover
            label={t("field.country")}
            className="phone-popover"
            trigger={(opener) => (
              <button
                {...opener}
                type="button"
                className="phone-country"
                aria-label={`${t("field.country")}: ${country.countryCode} ${country.dialCode}`}
              >
                <Flag country={country} />
                {country.dialCode}
                <Icon name="chevronDown" size={12} />
              </button>
            )}
          >
            {(close) => (
              <Suspense>
                <Countries
                  current={country}
                  onCountry={(next) => {
                    choose(next);
                    close();
                  }}
                />
              </Suspense>
            )}
          </Popover>
          <input
            {...wired}
            {...(name === undefined ? {} : { name })}
            type="tel"
            inputMode="tel"
            autoComplete={autoComplete}
            value={value}
            onChange={({ currentTarget: { value: typed } }) => onValue(maskPhone(typed))}
            // A dial code alone is no number.
            onBlur={() => {
              if (value === country.dialCode) onValue("");
            }}
          />
        </span>
      )}
    </Field>
  );
}
