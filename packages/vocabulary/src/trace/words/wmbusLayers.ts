import type { TraceWords } from "../table.ts";

/** Layers that a CI field of wireless M-Bus announces. */
export const wmbusLayers = {
  ci_error_short_header: ["ошибка, короткий заголовок", "error, short header", "алдаа, богино толгой"],
  ci_error_long_header: ["ошибка, длинный заголовок", "error, long header", "алдаа, урт толгой"],
  ci_error: ["ошибка", "error", "алдаа"],
  ci_records_long_header: ["записи, длинный заголовок", "records, long header", "бичлэг, урт толгой"],
  ci_compact_frame_long_header: [
    "сжатый кадр, длинный заголовок",
    "compact frame, long header",
    "хураангуй багц, урт толгой",
  ],
  ci_alarm_short_header: ["тревога, короткий заголовок", "alarm, short header", "дохио, богино толгой"],
  ci_alarm_long_header: ["тревога, длинный заголовок", "alarm, long header", "дохио, урт толгой"],
  ci_records_no_header: ["записи без заголовка", "records, no header", "толгойгүй бичлэг"],
  ci_compact_frame_no_header: [
    "сжатый кадр без заголовка",
    "compact frame, no header",
    "толгойгүй хураангуй багц",
  ],
  ci_records_short_header: ["записи, короткий заголовок", "records, short header", "бичлэг, богино толгой"],
  ci_compact_frame_short_header: [
    "сжатый кадр, короткий заголовок",
    "compact frame, short header",
    "хураангуй багц, богино толгой",
  ],
  ci_cosem_long_header: ["COSEM, длинный заголовок", "COSEM, long header", "COSEM, урт толгой"],
  ci_cosem_short_header: ["COSEM, короткий заголовок", "COSEM, short header", "COSEM, богино толгой"],
  ci_transport_layer_only_short_header: [
    "только транспортный слой, короткий заголовок",
    "transport layer only, short header",
    "зөвхөн тээврийн давхарга, богино толгой",
  ],
  ci_transport_layer_only_long_header: [
    "только транспортный слой, длинный заголовок",
    "transport layer only, long header",
    "зөвхөн тээврийн давхарга, урт толгой",
  ],
  ci_extended_link_layer_short: [
    "расширенный канальный слой, короткий",
    "extended link layer, short",
    "өргөтгөсөн холбооны давхарга, богино",
  ],
  ci_extended_link_layer_with_session: [
    "расширенный канальный слой с сеансом",
    "extended link layer with session",
    "өргөтгөсөн холбооны давхарга, сеанстай",
  ],
  ci_extended_link_layer_with_address: [
    "расширенный канальный слой с адресом",
    "extended link layer with address",
    "өргөтгөсөн холбооны давхарга, хаягтай",
  ],
  ci_extended_link_layer_with_address_and_session: [
    "расширенный канальный слой с адресом и сеансом",
    "extended link layer with address and session",
    "өргөтгөсөн холбооны давхарга, хаяг, сеанстай",
  ],
  ci_authentication_and_fragmentation_layer: [
    "слой подписи и частей",
    "authentication and fragmentation layer",
    "баталгаажуулах, хуваах давхарга",
  ],
  ci_maker_s_own: ["формат изготовителя", "manufacturer-specific", "үйлдвэрлэгчийн хэлбэр"],
} as const satisfies TraceWords;
