/* An integer is converted to a parameter's type unless it keeps its value, and so its 64 bits. */
enum small { A, B };
uint64_t u64; uint32_t u32; int32_t i32; uint8_t u8; int8_t i8; enum small e;
inline int to_i32[int32_t n] = n ^ pid;
inline int to_u32[uint32_t n] = n ^ pid;
inline int to_enum[enum small n] = n ^ pid;
inline int to_i64[int64_t n] = n ^ pid;
inline int to_bool[_Bool n] = n ^ pid;
BEGIN
{
	trace(to_i32[i32] + to_i32[u32] + to_i32[u8] + to_i32[i8] + to_i32[e] + to_i32[u64]);
	trace(to_u32[i32] + to_u32[u32] + to_u32[u8] + to_u32[i8] + to_u32[e]);
	trace(to_enum[i32] + to_enum[u32] + to_enum[u8]);
	trace(to_i64[i32] + to_i64[u32] + to_i64[u64] + to_i64[e]);
	trace(to_bool[u8] + to_bool[(_Bool)u8]);
}
/* tree:
clause :::BEGIN
  part records
    call trace: void
      binary +: int
        binary +: int
          binary +: int
            binary +: int
              binary +: int
                index: int
                  ident to_i32: int
                  ident i32: int32_t
                index: int
                  ident to_i32: int
                  cast: int32_t
                    ident u32: uint32_t
              index: int
                ident to_i32: int
                ident u8: uint8_t
            index: int
              ident to_i32: int
              ident i8: int8_t
          index: int
            ident to_i32: int
            ident e: enum small
        index: int
          ident to_i32: int
          cast: int32_t
            ident u64: uint64_t
    call trace: void
      binary +: int
        binary +: int
          binary +: int
            binary +: int
              index: int
                ident to_u32: int
                cast: uint32_t
                  ident i32: int32_t
              index: int
                ident to_u32: int
                ident u32: uint32_t
            index: int
              ident to_u32: int
              ident u8: uint8_t
          index: int
            ident to_u32: int
            cast: uint32_t
              ident i8: int8_t
        index: int
          ident to_u32: int
          cast: uint32_t
            ident e: enum small
    call trace: void
      binary +: int
        binary +: int
          index: int
            ident to_enum: int
            ident i32: int32_t
          index: int
            ident to_enum: int
            cast: enum small
              ident u32: uint32_t
        index: int
          ident to_enum: int
          ident u8: uint8_t
    call trace: void
      binary +: int
        binary +: int
          binary +: int
            index: int
              ident to_i64: int
              ident i32: int32_t
            index: int
              ident to_i64: int
              ident u32: uint32_t
          index: int
            ident to_i64: int
            ident u64: uint64_t
        index: int
          ident to_i64: int
          ident e: enum small
    call trace: void
      binary +: int
        index: int
          ident to_bool: int
          cast: _Bool
            binary !=: int
              ident u8: uint8_t
              int 0: int
        index: int
          ident to_bool: int
          cast: _Bool
            binary !=: int
              ident u8: uint8_t
              int 0: int
*/
