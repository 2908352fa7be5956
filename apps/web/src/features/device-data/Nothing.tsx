import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";

/** Nothing was measured in the period: the way back to the newest days, where the page is elsewhere. */
export function Nothing(props: { readonly isElsewhere: boolean; readonly onLatest: () => void }) {
  const { t } = useTranslation(["deviceData", "devices"]);
  return (
    <>
      <p>{t("devices:data.nothing")}</p>
      {props.isElsewhere ? (
        <Button onClick={props.onLatest}>{t("latest")}</Button>
      ) : (
        <p className="quiet">{t("nothingHint")}</p>
      )}
    </>
  );
}
