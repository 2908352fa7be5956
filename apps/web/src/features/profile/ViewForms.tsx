import { profile } from "@metrum/contract/access";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { formatOffset } from "#lib/format";
import { changeLanguage, languageNames, languageOf, languages } from "#lib/i18n";
import { saveSettings, useSession } from "#lib/session";
import {
  densities,
  setDensity,
  setTheme,
  storedDensity,
  storedTheme,
  themes,
  type Density,
  type Theme,
} from "#lib/theme";
import { Button } from "#ui/button";
import { askChoice } from "#ui/dialog";
import { Field, Segmented, SelectField } from "#ui/field";
import { useForm, type Bound } from "#ui/form";
import { SettingsForm, SettingsRow, SettingsSection } from "#ui/settings";
import { zoneChoices } from "#ui/zone";
import { useFaultWords } from "./faultWords.ts";
import { keepUser } from "./ownUser.ts";

/** Language and zone belong to the account: letters and reports use them too. */
export function LanguageForm() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = useForm({
    stored: { language: languageOf(user.language), timezone_name: user.timezone_name },
    words: useFaultWords(),
    send: (body, options) => exchange(profile.update, { body }, options),
    onSaved: (answer) => {
      keepUser(answer);
      return changeLanguage(languageOf(answer.user.language));
    },
  });
  return (
    <SettingsForm title={t("language.title")} text={t("language.text")} form={form}>
      <SelectField
        label={t("language.language")}
        options={languages.map((each) => ({ value: each, title: languageNames[each] }))}
        {...form.field("language")}
      />
      <ZoneField companyZone={user.current_timezone_name} {...form.field("timezone_name")} />
    </SettingsForm>
  );
}

/** A zone by its name, found by typing a part of it; null is that of the company. */
function ZoneField(props: Bound<string | null> & { readonly companyZone: string }) {
  const { t } = useTranslation("profile");
  const { value, companyZone, error, onValue } = props;
  const now = Math.floor(Date.now() / 1000);
  const ofCompany = t("language.companyZone", { zone: zoneTitle(companyZone, now) });
  const choose = async () => {
    const chosen = await askChoice({
      title: t("language.zone"),
      label: t("language.zone"),
      action: t("language.choose"),
      size: 450,
      value: value ?? "",
      options: [{ value: "", title: ofCompany }, ...zoneChoices(value ?? companyZone, now)],
    });
    if (chosen !== null) onValue(chosen === "" ? null : chosen);
  };
  const shown = value === null ? ofCompany : zoneTitle(value, now);
  return (
    <Field label={t("language.zone")} hint={t("language.zoneHint")} error={error}>
      {({ id, "aria-describedby": describedBy }) => (
        <Button
          id={id}
          aria-label={`${t("language.zone")}: ${shown}`}
          aria-describedby={describedBy}
          iconAfter="chevronDown"
          onClick={() => void choose()}
        >
          {shown}
        </Button>
      )}
    </Field>
  );
}

/** Readable form: "Asia/Ulaanbaatar, UTC+8". */
function zoneTitle(name: string, at: number): string {
  return `${name.replaceAll("_", " ")}, ${formatOffset(at, name)}`;
}

/** Theme and density take effect at once. */
export function LookSection() {
  const { t } = useTranslation("profile");
  const [theme, chooseTheme] = useState(storedTheme);
  const [density, chooseDensity] = useState(storedDensity);
  const onTheme = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
    saveSettings({ theme: chosen });
  };
  const onDensity = (chosen: Density) => {
    chooseDensity(chosen);
    setDensity(chosen);
    saveSettings({ density: chosen });
  };
  return (
    <SettingsSection title={t("look.title")} text={t("look.text")}>
      <SettingsRow title={t("look.theme")}>
        <Segmented
          label={t("look.theme")}
          name="profile-theme"
          value={theme}
          onValue={onTheme}
          options={themes.map((each) => ({ value: each, title: t(`look.${each}`) }))}
        />
      </SettingsRow>
      <SettingsRow title={t("look.density")} text={t("look.densityText")}>
        <Segmented
          label={t("look.density")}
          name="profile-density"
          value={density}
          onValue={onDensity}
          options={densities.map((each) => ({ value: each, title: t(`look.${each}`) }))}
        />
      </SettingsRow>
    </SettingsSection>
  );
}
