# SPDX-License-Identifier: GPL-2.0
#
# A row of the Mandelbrot set: iterations until a point is known to be outside. Points are
# 1/16 apart. Uniforms: where the row goes, first point (real, imaginary part), how many
# times 16 points, most iterations.
	mov ra2, unif
	itof r0, elem_num
	fmul r0, r0, 0.0625
	fadd ra0, r0, unif		# real parts
	mov ra1, unif			# imaginary part
	mov ra3, unif
	mov rb0, unif
	mov r0, vpm_setup(0, 1, h32(0))
	add rb1, r0, qpu_num
	mov r0, vdw_setup_0(1, 16, dma_h32(0, 0))
	mov r1, qpu_num
	shl r1, r1, 7
	add rb2, r0, r1
	ldi rb3, 64
	mov rb4, 4.0
:group
	mov r0, 0			# z
	mov r1, 0
	mov ra4, 0			# iterations
	mov ra5, rb0			# those left
:iterate
	fmul r2, r0, r0
	fmul r3, r1, r1
	fadd ra6, r2, r3
	fsub r2, r2, r3
	# points that are outside stay as they are
	fsub.setf -, rb4, ra6
	fmul.ifnn r1, r0, r1
	add.ifnn ra4, ra4, 1
	fadd.ifnn r1, r1, r1
	fadd.ifnn r0, r2, ra0
	fadd.ifnn r1, r1, ra1
	# on while a point is inside and there are iterations left
	brr.alln -, :done
	nop
	nop
	nop
	sub.setf ra5, ra5, 1
	brr.anynz -, :iterate
	nop
	nop
	nop
:done
	mov -, mutex_acq
	mov vw_setup, rb1
	mov vpm, ra4
	mov vw_setup, rb2
	mov vw_addr, ra2
	mov -, vw_wait
	mov mutex_rel, 0
	add ra2, ra2, rb3
	fadd ra0, ra0, 1.0
	sub.setf ra3, ra3, 1
	brr.anynz -, :group
	nop
	nop
	nop
	thrend
	nop
	nop
