import { useTranslation } from "react-i18next";
import { buttonClass } from "#ui/button";
import { BrandMark } from "#ui/brand";
import { Note } from "#ui/states";

/**
 * The server has no page at this address. Shown instead of the application, whose screens are all below "#".
 */
export function NoSuchPage() {
  const { t } = useTranslation("common");
  return (
    <main className="alone">
      <BrandMark size={32} />
      <h1 className="visually-hidden">{t("noPage.title")}</h1>
      <Note title={t("noPage.title")} text={t("noPage.text")}>
        <a className={buttonClass({ kind: "primary" })} href="/">
          {t("noPage.home")}
        </a>
      </Note>
    </main>
  );
}
