import { kind, type ProblemKinds } from "./kind.ts";

/** Refusals concerning devices and readings. */
export const meteringProblems = {
  command_unsupported: kind(
    422,
    "Модель прибора не поддерживает эту команду",
    "The device model does not support this command",
    "Төхөөрөмжийн загвар энэ тушаалыг дэмжихгүй",
  ),
  device_put_away: kind(
    409,
    "Прибор в архиве или в корзине",
    "The device is in the archive or in the trash",
    "Төхөөрөмж архивт эсвэл хогийн саванд байна",
  ),
  device_is_source: kind(
    409,
    "Из показаний прибора «{source}» вычисляется «{name}»: сначала измените его",
    "The readings of {source} make up those of {name}: change that device first",
    "«{source}» төхөөрөмжийн заалтаас «{name}» тооцоологдоно: эхлээд түүнийг өөрчилнө үү",
  ),
  gateway_in_trash: kind(
    409,
    "Шлюз в корзине: сначала восстановите его",
    "The gateway is in the trash: bring it back first",
    "Гарц хогийн саванд байна: эхлээд сэргээнэ үү",
  ),
  gateway_archived: kind(
    409,
    "Шлюз в архиве: сначала верните его",
    "The gateway is in the archive: bring it back first",
    "Гарц архивт байна: эхлээд буцаана уу",
  ),
  gateway_not_in_trash: kind(
    409,
    "Шлюз не в корзине: безвозвратно удаляется только то, что в корзине",
    "The gateway is not in the trash: only gateways in the trash are removed for good",
    "Гарц хогийн саванд биш: зөвхөн тэндхийг бүрмөсөн устгана",
  ),
  gateway_incompatible: kind(
    422,
    "Шлюз «{gateway}» не подходит прибору «{device}»: у них нет общего интерфейса",
    "The gateway {gateway} cannot carry the device {device}: they share no interface",
    "{gateway} гарц {device} төхөөрөмжид тохирохгүй: нийтлэг интерфейс алга",
  ),
  gateway_limit: kind(
    409,
    "Шлюзов в компании не больше {max}",
    "A company has at most {max} gateways",
    "Компанид гарц {max}-аас ихгүй",
  ),
  base_station_archived: kind(
    409,
    "Базовая станция в архиве: сначала верните её",
    "The base station is in the archive: bring it back first",
    "Суурь станц архивт байна: эхлээд буцаана уу",
  ),
  base_station_in_trash: kind(
    409,
    "Базовая станция в корзине: сначала восстановите её",
    "The base station is in the trash: bring it back first",
    "Суурь станц хогийн саванд байна: эхлээд сэргээнэ үү",
  ),
  base_station_not_in_trash: kind(
    409,
    "Базовая станция не в корзине: безвозвратно удаляется только то, что в корзине",
    "The base station is not in the trash: only stations in the trash are removed for good",
    "Суурь станц хогийн саванд биш: зөвхөн тэндхийг бүрмөсөн устгана",
  ),
  base_station_limit: kind(
    409,
    "Базовых станций в компании не больше {max}",
    "A company has at most {max} base stations",
    "Компанид суурь станц {max}-аас ихгүй",
  ),
  tied_devices_only: kind(
    403,
    "Вам доступны только привязанные устройства, а это затронуло бы и другие",
    "You work with the devices tied to you, and this would reach others too",
    "Танд зөвхөн холбосон төхөөрөмж нээлттэй, энэ нь бусдад ч нөлөөлнө",
  ),
  device_in_trash: kind(
    409,
    "Прибор в корзине: сначала восстановите его",
    "The device is in the trash: bring it back first",
    "Төхөөрөмж хогийн саванд байна: эхлээд сэргээнэ үү",
  ),
  device_not_in_trash: kind(
    409,
    "Прибор не в корзине: безвозвратно удаляется только то, что в корзине",
    "The device is not in the trash: only devices in the trash are removed for good",
    "Төхөөрөмж хогийн саванд биш: зөвхөн тэндхийг бүрмөсөн устгана",
  ),
  unknown_model: kind(
    422,
    "Такой модели в каталоге нет",
    "The catalogue has no such model",
    "Каталогт ийм загвар алга",
  ),
  identifier_taken: kind(
    409,
    "Идентификатор уже занят: {name}",
    "The identifier is already taken: {name}",
    "Танигч аль хэдийн ашиглагдаж байна: {name}",
  ),
  attribute_taken: kind(
    409,
    "У прибора уже есть такой атрибут",
    "The device has this attribute already",
    "Төхөөрөмжид энэ шинж бий",
  ),
  attribute_limit: kind(
    409,
    "У прибора не больше {max} атрибутов",
    "A device has at most {max} attributes",
    "Төхөөрөмжид {max}-аас ихгүй шинж байна",
  ),
  codec_model: kind(
    422,
    "Свой кодек бывает только у моделей LoRaWAN",
    "Only LoRaWAN models can have a codec of your own",
    "Зөвхөн LoRaWAN загвар өөрийн кодектой байна",
  ),
  import_refused: kind(
    422,
    "Файл не принят, ничего не записано. Ошибок: {count}",
    "The file was refused and nothing was stored. Errors: {count}",
    "Файлыг хүлээж авсангүй, юу ч хадгалаагүй. Алдаа: {count}",
  ),
  sheet_refused: kind(422, "Файл не принят", "The file was refused", "Файлыг хүлээж авсангүй"),
  sheet_state: kind(
    409,
    "Загрузка уже в другом состоянии: обновите страницу",
    "The import is in another state by now: reload the page",
    "Импортын төлөв өөрчлөгдсөн: хуудсыг шинэчилнэ үү",
  ),
  sheet_changed_since: kind(
    409,
    "Отменить нельзя: после загрузки изменено или используется: {count}",
    "The import cannot be undone: changed since or in use: {count}",
    "Буцаах боломжгүй: импортын дараа өөрчлөгдсөн эсвэл ашиглагдаж буй: {count}",
  ),
} as const satisfies ProblemKinds;
