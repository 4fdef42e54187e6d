# NAME, a plugin of fecrun: make, make check, make run, make install
PKG_CONFIG = pkg-config
CFLAGS = -O2 -g -Wall -Wextra
CXXFLAGS = -O2 -g -Wall -Wextra
CUDAFLAGS = -O3
FECRUN = $(PKG_CONFIG) fecrun-plugin
FLAGS := -fPIC -fvisibility=hidden -ffp-contract=off $(shell $(FECRUN) --cflags)
LIBS := -shared -Wl,--no-undefined $(shell $(FECRUN) --libs)
NVCC := $(or $(shell $(FECRUN) --variable=nvcc),nvcc)#--cuda
NVCCFLAGS := $(shell $(FECRUN) --variable=nvccflags) $(shell $(FECRUN) --cflags)#--cuda
OBJECTS = NAME.o
OBJECTS += NAME_cuda.o NAME_kernels.o#--cuda

NAME.so: $(OBJECTS)
	COMPILER -o $@ $(OBJECTS) $(LIBS)#--host
	$(NVCC) $(shell $(FECRUN) --variable=nvccldflags) -o $@ $(OBJECTS) $(shell $(FECRUN) --libs)#--cuda

NAME.o: NAME.EXT NAME.h
	COMPILER $(FLAGS) -c -o $@ NAME.EXT

NAME_cuda.o: NAME_cuda.c NAME.h#--cuda
	$(NVCC) $(NVCCFLAGS) $(CUDAFLAGS) -c -o $@ NAME_cuda.c#--cuda
#--cuda
NAME_kernels.o: NAME_kernels.cu NAME.h#--cuda
	$(NVCC) $(NVCCFLAGS) $(CUDAFLAGS) -c -o $@ NAME_kernels.cu#--cuda
#--cuda
check: NAME.so
	fecrun-check ./NAME.so

run: NAME.so
	fecrun run NAME.yaml --plugin-dir .

install: NAME.so
	install -D NAME.so $(DESTDIR)$(shell $(FECRUN) --variable=plugindir)/NAME.so

clean:
	rm -f NAME.so *.o

.PHONY: check run install clean
