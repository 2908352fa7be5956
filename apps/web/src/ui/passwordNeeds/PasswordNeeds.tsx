import { passwordNeeds, passwordSigns, unmetPasswordNeeds } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { StatusGlyph } from "#ui/status";
import "./passwordNeeds.css";

/** The password rule, checked while typing. */
export function PasswordNeeds({
  password,
  minLength,
}: {
  readonly password: string;
  readonly minLength: number;
}) {
  const { t } = useTranslation("common");
  const unmet = unmetPasswordNeeds(password, minLength);
  return (
    <ul className="password-needs">
      {passwordNeeds.map((need) => {
        const isMet = !unmet.includes(need);
        return (
          <li key={need} data-met={isMet ? "" : undefined}>
            <StatusGlyph kind={isMet ? "online" : "off"} />
            {t(`password.${need}`, { min: minLength, signs: passwordSigns })}
            <span className="visually-hidden">{t(isMet ? "password.met" : "password.unmet")}</span>
          </li>
        );
      })}
    </ul>
  );
}
