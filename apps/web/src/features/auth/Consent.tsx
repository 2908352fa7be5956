import { useTranslation } from "react-i18next";
import { Checkbox } from "#ui/field";
import type { Bound } from "#ui/form";

/** The text opens in a new tab, so that the input stays. */
export default function Consent({ name, value, onValue }: Bound<boolean>) {
  const { t } = useTranslation("auth");
  return (
    <div>
      <Checkbox
        name={name}
        checked={value}
        onChange={(event) => onValue(event.currentTarget.checked)}
        autoFocus
      >
        {t("consent")}
      </Checkbox>
      <a className="login-policy" href="#/auth/privacy" target="_blank" rel="noopener">
        {t("privacy")}
      </a>
    </div>
  );
}
