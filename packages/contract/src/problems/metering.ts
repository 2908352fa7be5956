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
} as const satisfies ProblemKinds;
