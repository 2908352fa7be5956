import { useTranslation } from "react-i18next";
import { ArgumentForm } from "../arguments/ArgumentForm.tsx";
import type { OfferedCommand } from "../offered.ts";
import { daysIn, scheduleIn, type Status } from "../present.ts";
import { SpecialDaysCard } from "../schedules/SpecialDaysCard.tsx";
import { TariffCard } from "../schedules/TariffCard.tsx";

interface Props {
  readonly offered: OfferedCommand;
  /** What was entered before. */
  readonly given: unknown;
  readonly onGiven: (given: unknown) => void;
}

/** The arguments of a bulk command; nothing is sent or stored from here. */
export function ArgumentsStep({ offered, given, onGiven }: Props) {
  const { t } = useTranslation("bulkControl");
  const take = (value: unknown) => {
    onGiven(value);
    return Promise.resolve({ data: {}, msg: "" });
  };
  const shared = { present: undefined, action: t("check"), isDraft: true, save: take };
  switch (offered.command.key) {
    case "set_shedule_tariff":
      return <TariffCard {...shared} wanted={scheduleIn(given)} />;
    case "set_special_day":
      return <SpecialDaysCard {...shared} wanted={daysIn(given)} />;
    default:
      return (
        <ArgumentForm
          offered={offered}
          known={typeof given === "object" && given !== null ? (given as Status) : {}}
          isDisabled={false}
          action={t("check")}
          issue={async (_, value) => {
            await take(value);
            return "done";
          }}
        />
      );
  }
}
