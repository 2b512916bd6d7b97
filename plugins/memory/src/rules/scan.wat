(module
  (import "arena" "memory" (memory 1))
  (func (export "scan") (param $query i32) (param $vectors i32) (param $count i32) (param $out i32)
    (local $at i32) (local $sum v128) (local $a v128) (local $b v128)
    (if (i32.eqz (local.get $count)) (then return))
    (loop $vector
      (local.set $at (i32.const 0))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (loop $sixteen
        (local.set $a (v128.load (i32.add (local.get $query) (local.get $at))))
        (local.set $b (v128.load (i32.add (local.get $vectors) (local.get $at))))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.add
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $sixteen (i32.lt_u (local.get $at) (i32.const 384))))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $vectors (i32.add (local.get $vectors) (i32.const 384)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count)))))
