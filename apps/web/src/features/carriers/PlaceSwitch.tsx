import { devices } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Segmented } from "#ui/field";
import { placeInput, places, type Place } from "./places.ts";

type Counts = Readonly<Record<Place, number | undefined>>;

/**
 * Numbers of devices in use, in the archive and in the trash, independent of filters; `shown` is that of the
 * place on the screen, if the list shows all of it.
 */
export function usePlaceCounts(place: Place, shown: number | undefined): Counts {
  const [present, archive, trash] = [
    useTotal("present", place, shown),
    useTotal("archive", place, shown),
    useTotal("trash", place, shown),
  ];
  return { present, archive, trash };
}

function useTotal(of: Place, place: Place, shown: number | undefined): number | undefined {
  const isShown = of === place && shown !== undefined;
  const body = { page: 1, per_page: 1, ...placeInput(of) };
  const { data } = useCall(
    devices.list,
    { body },
    { isQuiet: true, keepsPrevious: true, isEnabled: !isShown },
  );
  return isShown ? shown : data?.metering_devices.total;
}

interface Props {
  readonly place: Place;
  readonly counts: Counts;
  readonly onPlace: (place: Place) => void;
}

/** Shows what is in use, in the archive, or in the trash, each with its number. */
export function PlaceSwitch({ place, counts, onPlace }: Props) {
  const { t } = useTranslation("devices");
  const { number } = useFormat();
  const titleOf = (each: Place): string => {
    const count = counts[each];
    return count === undefined ? t(`place.${each}`) : `${t(`place.${each}`)} ${number(count, 0)}`;
  };
  return (
    <Segmented
      name="place"
      label={t("place.label")}
      value={place}
      onValue={onPlace}
      options={places.map((value) => ({ value, title: titleOf(value) }))}
    />
  );
}
