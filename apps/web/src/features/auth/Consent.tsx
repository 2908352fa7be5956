import { useTranslation } from "react-i18next";
import { Checkbox } from "#ui/field";

/** The text opens beside the form, so that what was typed stays. */
export default function Consent(props: {
  readonly isGiven: boolean;
  readonly onGiven: (isGiven: boolean) => void;
}) {
  const { t } = useTranslation("auth");
  return (
    <div>
      <Checkbox
        name="personal_data_access"
        checked={props.isGiven}
        onChange={(event) => props.onGiven(event.currentTarget.checked)}
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
